import { z } from 'zod';
import { type DeadLetterView, deadLetters } from '../../../functions/core/operate/dead-letters.ts';
import type { DeployedDestination } from '../../../functions/core/operate/ports.ts';
import { count, some } from '../../format.ts';
import { type Column, Table, type TableSpace } from '../../table.ts';
import { wrapTo } from '../../text.ts';
import type { OperatorCommand, Work } from './command.ts';
import { addDestinations, destination } from './flags.ts';
import { destinationsNamed } from './named.ts';
import { utc } from './time.ts';

/** Letters that are looked into, of each destination. */
const LOOKED_INTO = 20;

const flags = { destination: destination.optional(), dryRun: z.boolean().default(false) };

export const redrive: OperatorCommand<typeof flags> = {
  name: 'redrive',
  summary: 'send what a destination gave up on back to its queue',
  about:
    'Shows first what lies there and why it failed: mend that before, or it comes\n' +
    'back. Without --destination: all that gave up on something.',
  examples: ['orglog redrive --dry-run', 'orglog redrive --destination splunk --yes'],
  changes: true,
  options(command) {
    addDestinations(command, 'whose dead letters; repeatable');
    command.option('--dry-run', 'only show what lies there');
  },
  flags,
  run,
};

interface Pile {
  readonly destination: DeployedDestination;
  readonly dead: number;
  readonly letters: readonly DeadLetterView[];
}

async function run(work: Work, order: z.output<z.ZodObject<typeof flags>>): Promise<void> {
  const { deployment, output } = work;
  const piles = await pilesOf(work, order.destination);
  const lines = (space: TableSpace) => piles.flatMap((pile) => pileLines(pile, space));
  const total = piles.reduce((sum, { dead }) => sum + dead, 0);
  if (order.dryRun || total === 0) {
    await output.result(shown(piles, new Map()), lines);
    if (!output.json) output.note(total === 0 ? 'no dead letters' : 'nothing was sent back');
    return;
  }
  const where = piles.length === 1 ? 'its queue' : 'their queues';
  const title = `This sends ${some(total, 'message')} back to ${where} (${deployment.title}):`;
  await work.confirm({ title, lines });
  const moved = new Map<string, number>();
  for (const { destination: each } of piles) {
    const count = await deployment.queue(each.id).redrive(work.signal);
    moved.set(each.id, count);
    if (!output.json) output.note(`${each.id}: ${some(count, 'message')} on the way back to the queue`);
  }
  if (output.json) await output.document(shown(piles, moved));
}

async function pilesOf(
  { deployment, signal }: Work,
  ids: readonly string[] | undefined,
): Promise<readonly Pile[]> {
  const piles: Pile[] = [];
  for (const each of destinationsNamed(deployment, ids)) {
    const { dead } = await deployment.queue(each.id).standing(signal);
    if (dead === 0) continue;
    const letters: DeadLetterView[] = [];
    for await (const letter of deadLetters(deployment, each, LOOKED_INTO, signal)) letters.push(letter);
    piles.push({ destination: each, dead, letters });
  }
  return piles;
}

function shown(piles: readonly Pile[], moved: ReadonlyMap<string, number>) {
  const destinations = piles.map(({ destination: { id }, dead, letters }) => {
    return { id, dead, moved: moved.get(id) ?? 0, letters };
  });
  return { destinations };
}

const COLUMNS: readonly Column<DeadLetterView>[] = [
  { head: 'QUEUED', of: ({ queuedAt }) => utc(queuedAt), narrow: 'keep' },
  { head: 'TRIES', of: ({ receiveCount }) => count(receiveCount), align: 'right', narrow: 'keep' },
  { head: 'ORGANIZATION', of: ({ object }) => object?.org ?? '?' },
  {
    head: 'BATCH',
    of: ({ object }) => (object === undefined ? '?' : String(object.sequence)),
    align: 'right',
  },
];

function pileLines(
  { destination: { id, kind, delivery }, dead, letters }: Pile,
  space: TableSpace,
): string[] {
  const unseen = dead - letters.length;
  const reasons = Map.groupBy(letters, ({ why }) => why);
  return [
    `${id} (${kind}, ${delivery}): ${some(dead, 'message')}`,
    ...new Table(COLUMNS, space).lines(letters),
    ...(unseen > 0 ? [`and ${count(unseen)} more`] : []),
    ...[...reasons].flatMap(([why, such]) => {
      const mark = such.every(({ worthRedriving }) => worthRedriving) ? 'why' : 'will fail again';
      const text = `${mark} (${count(such.length)} of ${count(letters.length)}): ${why}`;
      return space.columns === undefined ? [text] : wrapTo(text, space.columns);
    }),
  ];
}
