import type { DeployedDestination } from '../../../functions/core/operate/ports.ts';
import {
  planReplay,
  type ReplayPlan,
  type ReplayStep,
  replay as replaySteps,
} from '../../../functions/core/operate/replay.ts';
import type { CursorRow } from '../../../functions/core/ports.ts';
import { EXIT } from '../../exit-codes.ts';
import { EndedEarly } from '../../failure.ts';
import { count, size, some } from '../../format.ts';
import { progressLine } from '../../progress.ts';
import { factLines } from '../../table.ts';
import type { OperatorCommand, Work } from './command.ts';
import { ABOUT_TIMES, addDestinations, addOrg, addStream } from './flags.ts';
import { destinationsNamed, namesOf, organizationNamed, streamNamed } from './named.ts';
import { type ReplayOrder, replayFaults, replayFlags, windowOf } from './replay-flags.ts';
import { ranges } from './sequences.ts';

export const replay: OperatorCommand<typeof replayFlags> = {
  name: 'replay',
  summary: 'announce archived batches again, for a SIEM that lost them',
  about:
    'Events keep their identifiers, so a destination can tell repeats. Only the\n' +
    'destinations named get them; one that is pushed to starts each object anew.\n' +
    'Since an event may be in the log 10 minutes late, what was collected so long\n' +
    `after --to counts as well. Shows first how much it is, and asks.\n\n${ABOUT_TIMES}`,
  examples: [
    'orglog replay --org institution --from 2026-01-02 --to 2026-01-03 \\',
    '    --destination splunk --dry-run',
    'orglog replay --org institution --from 6h --to now --destination splunk --yes',
    'orglog replay --org institution --batches 120-180 --destination splunk',
  ],
  changes: true,
  options(command) {
    addOrg(command, 'whose events');
    command
      .option('--from <time>', 'batches with events from then on')
      .option('--to <time>', 'batches with events up to then')
      .option('--batches <numbers>', 'these batches, instead of times: 120-180');
    addStream(command);
    addDestinations(command, 'who gets them; repeatable (needed where there are several)');
    command.option('--dry-run', 'only show how much it is');
  },
  flags: replayFlags,
  faults: replayFaults,
  run,
};

async function run(work: Work, order: ReplayOrder): Promise<void> {
  const { deployment, output } = work;
  const organization = organizationNamed(deployment, order.org);
  const destinations = destinationsNamed(deployment, order.destination);
  if (order.destination === undefined && destinations.length > 1) {
    const names = namesOf(destinations);
    throw work.fault(`--destination: missing; expected one or more of ${names}: only those get the events`);
  }
  const row = await streamNamed(work, organization, order.stream);
  const plan = await planned(work, row, order);
  const shown = shownPlan(plan, destinations);
  const batches = some(plan.sequences.length, 'batch', 'batches');
  if (plan.sequences.length === 0 || order.dryRun) {
    await output.result({ ...shown, announced: 0 }, (space) => factLines(factsOf(plan, destinations), space));
    if (!output.json)
      output.note(plan.sequences.length === 0 ? 'nothing to announce' : 'nothing was announced');
    return;
  }
  await work.confirm({
    title: `This announces ${batches} of ${order.org}${order.stream === 'logs' ? '' : ` (${order.stream})`} once more (${deployment.title}):`,
    lines: (space) => factLines(factsOf(plan, destinations), space),
  });
  const { announced, missing } = await announce(work, plan, destinations);
  await output.result({ ...shown, announced, missing: [...shown.missing, ...missing] }, () => [
    `announced ${some(announced, 'batch', 'batches')} to ${namesOf(destinations)}`,
    ...(missing.length > 0 ? [`gone meanwhile: ${ranges(missing)}`] : []),
  ]);
}

async function planned({ deployment, world, signal }: Work, row: CursorRow, order: ReplayOrder) {
  using progress = progressLine(world.err);
  for await (const step of planReplay(deployment, row, windowOf(order), signal)) {
    if (step.kind === 'plan') return step.plan;
    progress.show(`looked at ${count(step.looked)} of ${some(step.of, 'batch', 'batches')}`);
  }
  throw new Error('a plan of no end');
}

async function announce(
  work: Work,
  plan: ReplayPlan,
  destinations: readonly DeployedDestination[],
): Promise<{ readonly announced: number; readonly missing: readonly number[] }> {
  const missing: number[] = [];
  let announced = 0;
  using progress = progressLine(work.world.err);
  for await (const step of replaySteps(work.deployment, plan, destinations, work.signal)) {
    if (step.kind === 'stopped') throw await stopped(work, plan, destinations, { step, announced });
    if (step.kind === 'done') break;
    if (step.kind === 'missing') missing.push(step.sequence);
    else announced++;
    progress.show(`announced ${count(step.done)} of ${some(step.of, 'batch', 'batches')}`);
  }
  return { announced, missing };
}

/** Says what is done, and the call that does the rest. */
async function stopped(
  { same, output, signal }: Work,
  { row, sequences }: ReplayPlan,
  destinations: readonly DeployedDestination[],
  {
    step,
    announced,
  }: { readonly step: Extract<ReplayStep, { kind: 'stopped' }>; readonly announced: number },
): Promise<EndedEarly> {
  const last = sequences.at(-1) ?? step.next;
  const to = destinations.map(({ id }) => ` --destination ${id}`).join('');
  const stream = row.stream === 'logs' ? '' : ` --stream ${row.stream}`;
  const rest = `orglog replay --org ${row.org}${stream} --batches ${step.next}-${last}${to}${same}`;
  if (output.json) await output.document({ org: row.org, announced, next: step.next, rest });
  const why = step.error === undefined ? 'interrupted' : step.error.message;
  const done = `${some(announced, 'batch is', 'batches are')} announced. The rest: \`${rest}\``;
  return new EndedEarly(signal.aborted ? EXIT.interrupted : EXIT.trouble, `${why}: ${done}`);
}

function shownPlan(plan: ReplayPlan, destinations: readonly DeployedDestination[]) {
  const { row, sequences, events, bytes, storedBytes, missing, forgotten } = plan;
  const to = destinations.map(({ id }) => id);
  const counts = { sequences, events, bytes, storedBytes, missing };
  return { org: row.org, stream: row.stream, destinations: to, ...counts, ...(forgotten && { forgotten }) };
}

function factsOf(
  { sequences, events, bytes, storedBytes, missing, forgotten }: ReplayPlan,
  destinations: readonly DeployedDestination[],
): [string, string | string[]][] {
  return [
    ['objects', sequences.length === 0 ? 'none' : `${count(sequences.length)}: batches ${ranges(sequences)}`],
    ['events', count(events)],
    ['bytes', `${size(bytes)}, ${size(storedBytes)} compressed`],
    ['to', destinations.map(({ id, kind, delivery }) => `${id} (${kind}, ${delivery})`)],
    ...(missing.length > 0
      ? [['left out', `batches ${ranges(missing)}: their objects are gone`] as [string, string]]
      : []),
    ...(forgotten === undefined
      ? []
      : [
          [
            'left out',
            `what was collected before ${forgotten.before} (up to batch ${forgotten.last}): the cursor no longer knows its keys`,
          ] as [string, string],
        ]),
  ];
}
