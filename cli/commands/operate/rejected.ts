import type { Command } from 'commander';
import { z } from 'zod';
import {
  listRejected,
  type RejectedEvent,
  type RejectedFilter,
  retryRejected,
} from '../../../functions/core/operate/rejected.ts';
import { repeatable } from '../../flags.ts';
import { count, some } from '../../format.ts';
import { progressLine } from '../../progress.ts';
import { factLines, Table, type TableSpace } from '../../table.ts';
import type { World } from '../../world.ts';
import { addOperatorCommand, group, type OperatorCommand, type Work } from './command.ts';
import { ABOUT_TIMES, addDestinations, addOrg, destination, from, org, to, windowFaults } from './flags.ts';
import { destinationsNamed, organizationNamed } from './named.ts';
import { REJECTED_COLUMNS, reasonsOf, shownEvent } from './rejected-lines.ts';

/** Events that are shown together: the first ones decide how wide the table's columns are. */
const AT_ONCE = 50;

const eventId = z
  .string()
  .regex(/^[\x21-\x7e]{1,300}$/, 'expected the identifier of an event, as list shows it');

const filterFlags = {
  destination: destination.optional(),
  org: org.optional(),
  from: from.optional(),
  to: to.optional(),
  event: z.array(eventId).optional(),
};

const listFlags = {
  ...filterFlags,
  all: z.boolean().default(false),
  withEvents: z.boolean().default(false),
};

type Filters = z.output<z.ZodObject<typeof filterFlags>>;

/** `orglog rejected`: what sinks refused for good. */
export function rejectedCommand(program: Command, world: World): void {
  const rejected = group(program, 'rejected', 'read what a sink refused for good, or send it again');
  addOperatorCommand(rejected, world, list);
  addOperatorCommand(rejected, world, retry);
}

const list: OperatorCommand<typeof listFlags> = {
  name: 'list',
  summary: 'list the events that a sink refused, and why',
  about: `Those that it took since are left out, unless --all is given.\n\n${ABOUT_TIMES}`,
  examples: [
    'orglog rejected list --destination splunk',
    'orglog rejected list --from 6h --json | jq -r .reason | sort | uniq -c',
  ],
  changes: false,
  json: 'NDJSON, an event a line; times in epoch ms',
  options(command) {
    addFilterOptions(command);
    command
      .option('--all', 'also those that the sink took since')
      .option('--with-events', 'with --json: the events themselves, which hold personal data');
  },
  flags: listFlags,
  faults: (raw) => [
    ...windowFaults(raw),
    ...(raw.withEvents !== undefined && raw.json === undefined
      ? ['--with-events: expected together with --json only']
      : []),
  ],
  run: runList,
};

const retry: OperatorCommand<typeof filterFlags> = {
  name: 'retry',
  summary: 'send refused events again, after the cause is mended',
  about: `Under the identifiers that they had. Those taken since are left out.\n\n${ABOUT_TIMES}`,
  examples: [
    'orglog rejected retry --destination splunk',
    'orglog rejected retry --destination elastic --from 2026-01-02 --yes',
  ],
  changes: true,
  options: addFilterOptions,
  flags: filterFlags,
  faults: windowFaults,
  run: runRetry,
};

function addFilterOptions(command: Command): void {
  addDestinations(command, 'of these sinks; repeatable (default: all)');
  addOrg(command, 'of this organization');
  command
    .option('--from <time>', 'refused from then on')
    .option('--to <time>', 'refused up to then')
    .option('--event <id>', 'only this event; repeatable', repeatable);
}

async function runList(work: Work, flags: z.output<z.ZodObject<typeof listFlags>>): Promise<void> {
  const { deployment, output, world, signal } = work;
  const table = new Table(REJECTED_COLUMNS, output.space);
  let listed = 0;
  let rows: RejectedEvent[] = [];
  const show = async () => {
    if (output.json) await output.records(rows.map((event) => shownEvent(event, flags.withEvents)));
    else if (rows.length > 0) await output.lines(table.lines(rows));
    rows = [];
  };
  {
    using progress = output.live ? undefined : progressLine(world.err);
    for (const filter of filtersOf(work, flags, !flags.all)) {
      for await (const event of listRejected(deployment, filter, signal)) {
        listed += 1;
        rows.push(event);
        progress?.show(some(listed, 'refused event'));
        if (rows.length >= AT_ONCE) await show();
        if (output.closed) return;
      }
    }
  }
  await show();
  if (!output.json) output.note(listed === 0 ? 'no refused events' : some(listed, 'refused event'));
}

async function runRetry(work: Work, flags: Filters): Promise<void> {
  const { deployment, output, world, signal } = work;
  const filters = filtersOf(work, flags, true);
  const events = await collected(work, filters);
  const good = events.filter(({ record }) => record !== undefined);
  if (good.length === 0) {
    if (output.json) await output.document({ asked: 0, damaged: events.length });
    else
      output.note(
        events.length === 0 ? 'no refused events' : `${some(events.length, 'record')} that cannot be read`,
      );
    return;
  }
  const what = some(good.length, 'refused event');
  await work.confirm({
    title: `This sends ${what} again (${deployment.title}):`,
    lines: (space) => planLines(events, space),
  });
  let [asked, damaged] = [0, 0];
  {
    using progress = progressLine(world.err);
    for (const filter of filters) {
      // What was refused meanwhile was not asked about.
      for await (const { outcome } of retryRejected(deployment, { ...filter, ...until(events) }, signal)) {
        if (outcome === 'asked') asked++;
        else damaged++;
        progress.show(`asked for ${count(asked)} of ${what}`);
      }
    }
  }
  await output.result({ asked, damaged }, () => [
    `${some(asked, 'event')} queued to be sent again`,
    ...(damaged > 0 ? [`${some(damaged, 'record')} cannot be read: see \`orglog rejected list\``] : []),
  ]);
}

async function collected(
  { deployment, world, signal }: Work,
  filters: readonly RejectedFilter[],
): Promise<readonly RejectedEvent[]> {
  const events: RejectedEvent[] = [];
  using progress = progressLine(world.err);
  for (const filter of filters) {
    for await (const event of listRejected(deployment, filter, signal)) {
      events.push(event);
      progress.show(`found ${some(events.length, 'refused event')}`);
    }
  }
  return events;
}

function until(events: readonly RejectedEvent[]): Pick<RejectedFilter, 'refusedTo'> {
  return { refusedTo: events.reduce((latest, { refusedAt }) => Math.max(latest, refusedAt), 0) };
}

function planLines(events: readonly RejectedEvent[], space: TableSpace): readonly string[] {
  const byDestination = Map.groupBy(events, ({ destination: id }) => id);
  return factLines(
    [...byDestination].map(([id, those]) => [id, reasonsOf(those)] as const),
    space,
  );
}

/** One for each destination that is pushed to, of those named. */
function filtersOf({ deployment, fault }: Work, flags: Filters, unsentOnly: boolean): RejectedFilter[] {
  if (flags.org !== undefined) organizationNamed(deployment, flags.org);
  const { event, org: organization, from: refusedFrom, to: refusedTo } = flags;
  const destinations = destinationsNamed(deployment, flags.destination);
  const pulled = flags.destination && destinations.find(({ delivery }) => delivery === 'pull');
  if (pulled) {
    throw fault(
      `--destination ${JSON.stringify(pulled.id)}: expected one that is pushed to: who pulls tells us of no refusal`,
    );
  }
  return destinations
    .filter(({ delivery }) => delivery === 'push')
    .map(({ id }) => ({
      ...{ destination: id, unsentOnly },
      ...(organization !== undefined && { org: organization }),
      ...(refusedFrom !== undefined && { refusedFrom }),
      ...(refusedTo !== undefined && { refusedTo }),
      ...(event !== undefined && { eventIds: new Set(event) }),
    }));
}
