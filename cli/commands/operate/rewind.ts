import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  planRewind,
  type RewindPlan,
  type RewindReport,
  rewind as setBack,
} from '../../../functions/core/operate/rewind.ts';
import type { RewindTo } from '../../../functions/core/operate/rewind-target.ts';
import { some } from '../../format.ts';
import { factLines, type TableSpace } from '../../table.ts';
import { overHttp } from '../check/ports.ts';
import type { OperatorCommand, Work } from './command.ts';
import { ABOUT_TIMES, addOrg, EXPECTED_TIME, org } from './flags.ts';
import { organizationNamed } from './named.ts';
import { timeAt, utc } from './time.ts';

const EXPECTED = `${EXPECTED_TIME}; or the number of a batch; or gap:1, as \`orglog status\` numbers it`;

const to = z.string(EXPECTED).transform((text, context): RewindTo => {
  const gap = /^gap:([1-9]\d{0,2})$/.exec(text)?.[1];
  if (gap !== undefined) return { kind: 'gap', index: Number(gap) - 1 };
  if (/^[1-9]\d{0,11}$/.test(text)) return { kind: 'sequence', sequence: Number(text) };
  const time = timeAt(text, Date.now(), 'start');
  if (time !== undefined) return { kind: 'time', time };
  context.addIssue({ code: 'custom', message: EXPECTED });
  return z.NEVER;
});

const flags = { org, to, repeat: z.boolean().default(false), dryRun: z.boolean().default(false) };

type Order = z.output<z.ZodObject<typeof flags>>;

export const rewind: OperatorCommand<typeof flags> = {
  name: 'rewind',
  summary: 'set the cursor back, so that events are read from the provider again',
  about:
    'What the archive has already is taken out again, so that only what it lacks is\n' +
    'added: after a gap, or a lost object. With --repeat all of it is archived and\n' +
    'announced once more, under new identifiers; to send the same events under the\n' +
    'same identifiers, replay.\n\n' +
    '--to takes a time, the number of a batch, or a gap (gap:1, as status shows).\n' +
    `${ABOUT_TIMES}`,
  examples: [
    'orglog rewind --org institution --to 2026-01-02T03:00Z',
    'orglog rewind --org institution --to gap:1',
    'orglog rewind --org institution --to 120 --repeat --yes',
  ],
  changes: true,
  options(command) {
    addOrg(command, 'whose cursor');
    command
      .option('--to <place>', 'where to go back to')
      .option('--repeat', 'archive and announce again what is archived already')
      .option('--dry-run', 'only show what would be read again');
  },
  flags,
  run,
};

async function run(work: Work, order: Order): Promise<void> {
  const { deployment, output, signal } = work;
  const organization = organizationNamed(deployment, order.org);
  const [{ systemClock }, mode] = [
    await import('../../../functions/adapters/system-clock.ts'),
    order.repeat ? 'repeat' : 'fill',
  ] as const;
  const request = { org: order.org, to: order.to, mode, now: systemClock.now() } as const;
  const plan = await planRewind(deployment, request, signal);
  const lines = (space: TableSpace) => factLines(factsOf(plan), space);
  if (order.dryRun) {
    await output.result(shownReport(plan, {}), lines);
    if (!output.json) output.note('the cursor was left where it is');
    return;
  }
  await work.confirm({ title: `This sets the cursor of ${order.org} back (${deployment.title}):`, lines });
  const { cursors, archive } = deployment;
  const { probe } = await overHttp();
  await using source = deployment.source(organization);
  const { baseUrl } = organization;
  const ports = {
    ...{ cursors, archive, source, clock: systemClock, random: Math.random },
    probe: async (within: AbortSignal) => await probe(baseUrl, within),
  };
  const report = await setBack(ports, organization, plan, `operator-${randomUUID()}`, signal);
  if (output.json) await output.document(shownReport(plan, report));
  else for (const note of notesOf(report)) output.note(note);
}

/** Without the token: whoever has it and a credential reads on from there. */
function shownReport(plan: RewindPlan, { adopted }: Pick<RewindReport, 'adopted'>) {
  const { org: id, target, mode, events, batches, mayRepeat } = plan;
  const { at, sequence } = target;
  return {
    ...{ org: id, to: { at, ...(sequence !== undefined && { sequence }) }, mode, events, batches, mayRepeat },
    ...(adopted && { adopted }),
  };
}

function notesOf({ row, adopted }: RewindReport): string[] {
  return [
    ...(adopted === undefined
      ? []
      : [`committed ${adopted.key} (${some(adopted.events, 'event')}), which a run had left behind`]),
    row.paused
      ? `set back; ${row.org} is paused, and reads nothing until \`orglog resume\``
      : 'set back: the next run reads on from there',
  ];
}

function factsOf({ target, mode, events, batches, mayRepeat }: RewindPlan): [string, string | string[]][] {
  const place = target.sequence === undefined ? '' : `, where batch ${target.sequence} began`;
  const amount =
    batches === 0
      ? 'nothing that is archived'
      : `about ${some(events, 'event')} in ${some(batches, 'batch', 'batches')}`;
  return [
    ['back to', `${utc(target.at)}${place}`],
    ['read again', amount],
    [
      'archived',
      mode === 'repeat'
        ? 'all of it once more: every event comes to every destination again, under a new identifier'
        : 'only what the archive lacks, under new identifiers',
    ],
    ...(mayRepeat
      ? [['but', 'that is more than a run remembers: the oldest may be archived twice'] as [string, string]]
      : []),
  ];
}
