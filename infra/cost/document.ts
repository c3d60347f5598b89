import { fileURLToPath } from 'node:url';
import type { MetricsLevel } from '../../functions/adapters/run-metrics.ts';
import { ASSUMED } from './counted.ts';
import { identityMonth } from './identities.ts';
import {
  DESTINATIONS,
  type Line,
  organizationMonth,
  perOrganization,
  pushMonth,
  sharedMonth,
  total,
} from './model.ts';

export const COST_FILE = fileURLToPath(new URL('../../docs/cost.md', import.meta.url));

const IDLE = 0;
const BUSY = 1_000_000;
const SIZES = [1, 10, 40, 1000];
const POPULATIONS = [1000, 10_000, 100_000];

/** docs/cost.md: written by `npm run cost`, and a test fails when it is stale. */
export function costDocument(): string {
  return `<!-- Written by \`npm run cost\` from infra/cost/: change that, not this. -->

# What it costs

AWS's list prices in US dollars for us-east-1, early 2026 (\`infra/cost/prices.ts\`: put in your region's and run
\`npm run cost\`). The calls of a run are counted at the wire by a test; what cannot be counted here is a cautious guess
(\`infra/cost/counted.ts\`): every run is taken for a cold start.

Watching costs more than collecting. So a run sends one metric by default, which two alarms read; those of trouble are
sent in trouble only; all other figures are fields of a log line, which the dashboard reads when somebody looks.
\`"monitoring": "detailed"\` in the settings buys the rest.

## All in, for each organization and month

Collected every 5 minutes, ${DESTINATIONS} destinations that are pulled from, the shared part divided by the number of organizations:

${sizesTable()}

The free tier is CloudWatch's, for good and per account: 10 metrics, 10 alarms, 3 dashboards. The other numbers are
without any. Organizations that share a credential save its secret. The archive is taken to hold 13 months (the example's
400 days), and the key to have been rotated twice: in the first year both cost less.

## One organization, a month: \`standard\`

${organizationTable('standard')}

## One organization, a month: \`detailed\`

${organizationTable('detailed')}

## What all organizations share, a month

${sharedTable()}

## A destination that orglog pushes to, a month

What it costs more than one that is pulled from: idle, and with one organization of 1 M events a day.
Each further organization adds what differs.

${pushTable()}

## Identity records of one environment of an organization, a month

Walked once a day (\`everyHours\`) with values redacted, ${ASSUMED.changedADay * 100} % of the records changing in a day; none unless the settings say
\`identities\`. A second environment needs no secrets of its own. The first walk tells every record, once: a message and an
object for each 8 MiB of them.

${identityTable()}

Not in it: data that leaves AWS for a SIEM elsewhere (about ${gbLeaving()} GB for each destination and organization at 1 M events a
day), Logs Insights queries ($0.005 for each GB read), alarm mails, taxes.
`;
}

function sizesTable(): string {
  const cases = [
    { name: '`standard`, idle', level: 'standard', eventsPerDay: IDLE, free: false },
    { name: '`standard`, idle, with the free tier', level: 'standard', eventsPerDay: IDLE, free: true },
    { name: '`standard`, 1 M events a day', level: 'standard', eventsPerDay: BUSY, free: false },
    { name: '`detailed`, idle', level: 'detailed', eventsPerDay: IDLE, free: false },
    { name: '`detailed`, 1 M events a day', level: 'detailed', eventsPerDay: BUSY, free: false },
  ] as const;
  return table(
    ['', ...SIZES.map((size) => `${grouped(size)} organization${size === 1 ? '' : 's'}`)],
    cases.map(({ name, free, ...one }) => [
      name,
      ...SIZES.map((size) => dollars(perOrganization(one, size, free))),
    ]),
  );
}

function organizationTable(level: MetricsLevel): string {
  return idleAndBusy(
    organizationMonth({ level, eventsPerDay: IDLE }),
    organizationMonth({ level, eventsPerDay: BUSY }),
  );
}

function pushTable(): string {
  return idleAndBusy(pushMonth(IDLE), pushMonth(BUSY));
}

function identityTable(): string {
  return sideBySide(
    POPULATIONS.map((records) => ({ title: `${grouped(records)} records`, lines: identityMonth(records) })),
  );
}

function idleAndBusy(idle: readonly Line[], busy: readonly Line[]): string {
  return sideBySide([
    { title: 'idle', lines: idle },
    { title: '1 M events a day', lines: busy },
  ]);
}

/** The same items, with the quantities and costs of each case. */
function sideBySide(cases: readonly { readonly title: string; readonly lines: readonly Line[] }[]): string {
  const items = cases[0]?.lines ?? [];
  return table(
    ['', ...cases.flatMap(({ title }) => [title, '$'])],
    [
      ...items.map((first, index) => [
        first.item,
        ...cases.flatMap(({ lines }) => [amount(lines[index] ?? first), cost(lines[index] ?? first)]),
      ]),
      ['**Sum**', ...cases.flatMap(({ lines }) => ['', `**${dollars(total(lines))}**`])],
    ],
  );
}

function sharedTable(): string {
  const lines = sharedMonth();
  return table(
    ['', 'quantity', '$'],
    [
      ...lines.map((line) => [line.item, amount(line), cost(line)]),
      ['**Sum**', '', `**${dollars(total(lines))}**`],
    ],
  );
}

function gbLeaving(): string {
  const events = organizationMonth({ level: 'standard', eventsPerDay: BUSY });
  const kept = events.find(({ item }) => item === 'S3: GB in standard storage')?.quantity ?? 0;
  return (kept / ASSUMED.monthsStandard).toFixed(1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [row(head), `|${rule.join('|')}|`, ...rows.map(row)].join('\n');
}

function amount({ quantity }: Line): string {
  if (quantity === 0) return '–';
  return quantity < 10 && !Number.isInteger(quantity) ? quantity.toFixed(3) : grouped(Math.round(quantity));
}

function cost({ quantity, price }: Line): string {
  const value = quantity * price;
  if (value === 0) return '–';
  return value < 0.0005 ? '< 0.001' : dollars(value);
}

function dollars(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value.toFixed(2);
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
