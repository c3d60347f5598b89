import { z } from 'zod';
import { dayOf } from '../../../functions/core/keys.ts';
import type { Finding } from '../../../functions/core/operate/findings.ts';
import type { DeployedOrganization } from '../../../functions/core/operate/ports.ts';
import { verify as audit, type VerifySummary } from '../../../functions/core/operate/verify.ts';
import type { ComparisonSummary } from '../../../functions/core/operate/verify-provider.ts';
import type { CursorRow } from '../../../functions/core/ports.ts';
import { EXIT } from '../../exit-codes.ts';
import { EndedEarly } from '../../failure.ts';
import { count, size, some } from '../../format.ts';
import { progressLine } from '../../progress.ts';
import type { OperatorCommand, Work } from './command.ts';
import { ABOUT_TIMES, addOrg, addStream, from, org, stream, to, windowFaults } from './flags.ts';
import { coloured, MARKS, marked } from './marks.ts';
import { organizationNamed, streamNamed } from './named.ts';
import { utc } from './time.ts';

const flags = {
  org,
  from,
  to,
  stream,
  againstProvider: z.boolean().default(false),
};

type Order = z.output<z.ZodObject<typeof flags>>;

export const verify: OperatorCommand<typeof flags> = {
  name: 'verify',
  summary: 'audit the archive: provably whole, or its holes by name',
  about:
    'Reads every object that was committed in these days: no number is missing, every\n' +
    'key is the one that the cursor computes, counts and bytes are those of the\n' +
    'metadata, each batch begins where the one before it ended. --against-provider\n' +
    'then reads the stretch from the provider once more, and compares.\n\n' +
    `${ABOUT_TIMES}`,
  examples: [
    'orglog verify --org institution --from 2026-01-02 --to 2026-01-09',
    'orglog verify --org institution --from 6h --to now --against-provider',
  ],
  changes: false,
  exitCodes:
    'Exit codes: 0 whole, 1 a hole, a doubt or trouble, 2 usage, 3 there is no such\n' +
    'organization, 130 interrupted.',
  options(command) {
    addOrg(command, 'whose archive');
    command
      .option('--from <time>', 'from this day on')
      .option('--to <time>', 'to this day, which counts as well');
    addStream(command);
    command.option('--against-provider', 'compare with the provider, too');
  },
  flags,
  faults: (raw) => [
    ...windowFaults(raw),
    ...(raw.againstProvider === true && raw.stream !== undefined && raw.stream !== 'logs'
      ? ['--against-provider: expected with --stream logs only']
      : []),
  ],
  run,
};

interface Audited {
  readonly summary: VerifySummary | ComparisonSummary;
  readonly findings: readonly Finding[];
}

async function run(work: Work, order: Order): Promise<void> {
  const { deployment, output } = work;
  const organization = organizationNamed(deployment, order.org);
  const row = await streamNamed(work, organization, order.stream);
  const archive = await auditArchive(work, row, order);
  await tell(work, archive);
  const provider = order.againstProvider ? await compare(work, organization, row, order) : undefined;
  if (provider !== undefined) await tell(work, provider);
  const audits = provider === undefined ? [archive] : [archive, provider];
  if (output.json) {
    const findings = audits.flatMap((each) => each.findings);
    await output.document({ archive: archive.summary, provider: provider?.summary, findings });
  }
  const holes = audits.reduce((sum, { summary }) => sum + summary.holes, 0);
  const doubts = audits.reduce((sum, { summary }) => sum + summary.doubts, 0);
  if (holes + doubts > 0)
    throw new EndedEarly(EXIT.trouble, `${some(holes, 'hole')}, ${some(doubts, 'doubt')}: see above`);
}

/** For people, each part as soon as it is known: the next one may fail. */
async function tell({ output }: Work, { summary, findings }: Audited): Promise<void> {
  if (output.json) return;
  const { space } = output;
  const lines = [
    ...findings.flatMap(({ severity, message }) => marked(FINDING_MARKS[severity], message, space)),
    ...marked(VERDICT_MARKS[summary.verdict], summary.message, space),
  ];
  await output.lines(coloured(lines, output));
}

const FINDING_MARKS = { hole: MARKS.broken, doubt: MARKS.attention, note: MARKS.note } as const;
const VERDICT_MARKS = { holes: MARKS.broken, doubtful: MARKS.attention, whole: MARKS.ok } as const;

async function auditArchive(
  { deployment, world, signal }: Work,
  row: CursorRow,
  order: Order,
): Promise<Audited> {
  const findings: Finding[] = [];
  const days = { from: dayOf(order.from), to: dayOf(order.to) };
  using progress = progressLine(world.err);
  for await (const step of audit(deployment, row, days, signal)) {
    if (step.kind === 'summary') return { summary: step.summary, findings };
    if (step.kind === 'finding') findings.push(step.finding);
    else
      progress.show(
        `read ${count(step.checked)} of ${some(step.of, 'batch', 'batches')}, ${size(step.bytes)}`,
      );
  }
  throw new Error('an audit has no verdict');
}

async function compare(
  { deployment, world, signal }: Work,
  organization: DeployedOrganization,
  row: CursorRow,
  order: Order,
): Promise<Audited> {
  const [{ verifyAgainstProvider }, { systemClock }] = await Promise.all([
    import('../../../functions/core/operate/verify-provider.ts'),
    import('../../../functions/adapters/system-clock.ts'),
  ]);
  const findings: Finding[] = [];
  const { archive } = deployment;
  await using source = deployment.source(organization);
  const ports = { archive, source, clock: systemClock, random: Math.random };
  // The last moment counts as well.
  const window = { from: order.from, to: order.to + 1 };
  using progress = progressLine(world.err);
  for await (const step of verifyAgainstProvider(ports, organization, row, window, signal)) {
    if (step.kind === 'summary') return { summary: step.summary, findings };
    if (step.kind === 'finding') findings.push(step.finding);
    else {
      const reached = step.at === undefined ? '' : `, at ${utc(step.at)}`;
      progress.show(`${step.side}: ${some(step.events, 'event')}${reached}`);
    }
  }
  throw new Error('a comparison has no verdict');
}
