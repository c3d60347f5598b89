import { z } from 'zod';
import { systemStatus } from '../../../functions/core/operate/status.ts';
import { whole } from '../../flags.ts';
import type { OperatorCommand, Work } from './command.ts';
import { addOrg, org } from './flags.ts';
import { organizationNamed } from './named.ts';
import { statusLines } from './status-lines.ts';
import { watchFlag, watchStatus } from './watch.ts';

const DAYS = 7;

const flags = {
  org: org.optional(),
  watch: watchFlag,
  html: z.string().min(1, 'expected the path of a file').optional(),
  days: whole(1, 90).optional(),
};

type Order = z.output<z.ZodObject<typeof flags>>;

export const status: OperatorCommand<typeof flags> = {
  name: 'status',
  summary: 'how everything stands, and what to do about it',
  about:
    'Of each organization: how long ago the provider answered (READ), the age of the\n' +
    'newest event (LAG) and of the token, events that happened in the last hour and\n' +
    'day, batches owed to destinations, gaps. Of each destination: its queue, what it\n' +
    'gave up on (DEAD), what it refused for good. --html writes the same as a page\n' +
    'with plots of the past days, which needs nothing but itself.',
  examples: [
    'orglog status --data-dir .local',
    'orglog status --org institution --watch 5',
    'orglog status --json | jq \'.streams[] | select(.health.verdict != "ok")\'',
    'orglog status --html status.html --days 30',
  ],
  changes: false,
  json: 'one JSON document (--watch: NDJSON); times in epoch ms',
  exitCodes:
    'Exit codes: 0 told, however things stand (`orglog check` judges), 1 trouble,\n' +
    '2 usage, 3 there is no such organization, 130 interrupted; --watch ends with 0.',
  tellsSystem: true,
  options(command) {
    addOrg(command, 'only of this organization');
    command
      .option('--watch [seconds]', 'again and again (default: every 15 seconds)')
      .option('--html <file>', 'write a page with plots, too')
      .option('--days <n>', `how far its plots go back (default: ${DAYS})`);
  },
  flags,
  faults: ({ html, watch, days }) => [
    ...(html !== undefined && watch !== undefined ? ['--html: expected without --watch'] : []),
    ...(days !== undefined && html === undefined ? ['--days: expected together with --html only'] : []),
  ],
  run,
};

async function run(work: Work, order: Order): Promise<void> {
  const { deployment, remark, output, signal, same } = work;
  const { title } = deployment;
  if (order.org !== undefined) organizationNamed(deployment, order.org);
  const only = order.org === undefined ? {} : { org: order.org };
  const take = (within: AbortSignal) => systemStatus(deployment, { now: Date.now(), ...only }, within);
  const view = { title, one: order.org !== undefined, same };
  if (order.watch !== undefined) return watchStatus(work, order.watch, view, take);
  const taken = await take(signal);
  await output.result({ title, ...taken }, () =>
    statusLines({ ...view, remark: remark(), status: taken }, output),
  );
  if (order.html === undefined) return;
  const { writePage } = await import('./write-page.ts');
  await writePage(work, { file: order.html, status: taken, days: order.days ?? DAYS });
}
