import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { temporaryFolder } from '../test/local/temporary-folder.ts';
import { measureChild } from './children.ts';
import { median, megabytes, seconds } from './figures.ts';
import type { Row } from './table.ts';
import type { Usage } from './usage.ts';

const WALL_AT_MOST = 1.1;
const GROWTH_AT_MOST = 1.15;
/** Of each page: what a provider nearby takes. */
const DELAY_MS = 20;
/** Nearly everyone is in it, so a walk reads each identity twice. */
const AUTHORITIES = ['personnel'];
/**
 * A heap as small as a walk needs: with more, V8 lets garbage lie until it fills that, and what is measured is its
 * patience. A walk that held more the more identities there are would not get through.
 */
const SMALL_HEAP = '--max-semi-space-size=4 --max-old-space-size=96';
const WALK = './child-identities.ts';
const MEMORY_ROUNDS = 3;

export interface IdentityScale {
  readonly few: number;
  readonly many: number;
}

export const IDENTITIES_FULL: IdentityScale = { few: 10_000, many: 100_000 };
export const IDENTITIES_SMOKE: IdentityScale = { few: 60, many: 300 };

interface Walks {
  /** A first walk, and later ones that find nothing changed; their answers come without delay. */
  readonly first: Usage;
  readonly later: readonly Usage[];
}

/** A walk over all identity records: its time against a loop that only reads the pages, its memory against a few. */
export async function identities({ few, many }: IdentityScale = IDENTITIES_FULL): Promise<Row[]> {
  const small = await measured(few, ({ run }) => walks(run));
  const { large, late, floor } = await measured(many, async ({ run, delay }) => {
    const large = await walks(run);
    await delay(DELAY_MS);
    return { large, late: await run(WALK), floor: await run('./child-identities-floor.ts') };
  });
  const ratio = late.wallMs / floor.wallMs;
  const memory = (name: string, of: (walks: Walks) => number): Row => ({
    benchmark: `identities, memory of ${name}, ${many.toLocaleString('en-US')}`,
    measured: megabytes(of(large)),
    floor: `${megabytes(of(small))} (${few.toLocaleString('en-US')})`,
    ratio: (of(large) / of(small)).toFixed(2),
    target: `≤ ${GROWTH_AT_MOST}`,
    met: of(large) / of(small) <= GROWTH_AT_MOST,
  });
  return [
    {
      benchmark: `identities, walk of ${many.toLocaleString('en-US')} at ${DELAY_MS} ms, wall`,
      measured: seconds(late.wallMs),
      floor: `${seconds(floor.wallMs)} (list loop)`,
      ratio: ratio.toFixed(2),
      target: `≤ ${WALL_AT_MOST}`,
      met: ratio <= WALL_AT_MOST,
    },
    memory('a first walk', ({ first }) => first.peakRssBytes),
    memory('a later walk', ({ later }) => median(later.map(({ peakRssBytes }) => peakRssBytes))),
  ];
}

type Run = (file: string) => Promise<Usage>;

async function walks(run: Run): Promise<Walks> {
  const first = await run(WALK);
  const later: Usage[] = [];
  for (let round = 0; round < MEMORY_ROUNDS; round++) later.push(await run(WALK));
  return { first, later };
}

/** Measures against a provider of so many identities and an archive of its own. */
async function measured<Result>(
  count: number,
  work: (bed: { readonly run: Run; readonly delay: (delayMs: number) => Promise<void> }) => Promise<Result>,
): Promise<Result> {
  await using folder = await temporaryFolder();
  await using provider = await startIdentityProvider(count);
  const own = await mkdtemp(join(folder.path, 'data-'));
  const parameters = JSON.stringify({ url: provider.url, folder: own, authorities: AUTHORITIES });
  const run = async (file: string) => {
    const usage = await measureChild(file, parameters, { ...process.env, NODE_OPTIONS: SMALL_HEAP });
    if (usage.pages === count) return usage;
    throw new Error(`${usage.pages} of ${count} identities were read: what took less time did less`);
  };
  return await work({ run, delay: provider.delay });
}

/** bench/child-identity-provider.ts, which serves until it is disposed of. */
async function startIdentityProvider(count: number) {
  const path = fileURLToPath(import.meta.resolve('./child-identity-provider.ts'));
  const child = spawn(process.execPath, [path, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(await nextLine()));
  return {
    url,
    /** From now on each answer comes this much later. */
    async delay(delayMs: number) {
      child.stdin.write(`${delayMs}\n`);
      await nextLine();
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
