import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { temporaryFolder } from '../test/local/temporary-folder.ts';
import { measureChild } from './children.ts';
import { megabytes, seconds } from './figures.ts';
import type { Row } from './table.ts';
import type { Usage } from './usage.ts';

const WALL_AT_MOST = 1.1;
const GROWTH_AT_MOST = 1.15;
/** Of each page: what a provider nearby takes. */
const DELAY_MS = 20;
/** Nearly everyone is in it, so a walk reads each identity twice. */
const AUTHORITIES = ['personnel'];
/** As the function is deployed: bench/deliver.ts. */
const NODE_OPTIONS = '--max-semi-space-size=4';

export interface IdentityScale {
  readonly few: number;
  readonly many: number;
}

export const IDENTITIES_FULL: IdentityScale = { few: 10_000, many: 100_000 };
export const IDENTITIES_SMOKE: IdentityScale = { few: 60, many: 300 };

interface Walks {
  /** The first walk; its answers come without delay. */
  readonly first: Usage;
  /** A later walk, which finds nothing changed. */
  readonly later: Usage;
  readonly floor: Usage;
}

/** A walk over all identity records: its time against a loop that only reads the pages, its memory against a few. */
export async function identities({ few, many }: IdentityScale = IDENTITIES_FULL): Promise<Row[]> {
  const small = await walk(few);
  const large = await walk(many);
  const ratio = large.later.wallMs / large.floor.wallMs;
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
      measured: seconds(large.later.wallMs),
      floor: `${seconds(large.floor.wallMs)} (list loop)`,
      ratio: ratio.toFixed(2),
      target: `≤ ${WALL_AT_MOST}`,
      met: ratio <= WALL_AT_MOST,
    },
    memory('a first walk', ({ first }) => first.peakRssBytes),
    memory('a later walk', ({ later }) => later.peakRssBytes),
  ];
}

async function walk(count: number): Promise<Walks> {
  await using folder = await temporaryFolder();
  await using provider = await startIdentityProvider(count);
  const own = await mkdtemp(join(folder.path, 'data-'));
  const parameters = JSON.stringify({ url: provider.url, folder: own, authorities: AUTHORITIES });
  const run = async (file: string) => {
    const usage = await measureChild(file, parameters, { ...process.env, NODE_OPTIONS });
    if (usage.pages === count) return usage;
    throw new Error(`${usage.pages} of ${count} identities were read: what took less time did less`);
  };
  const first = await run('./child-identities.ts');
  await provider.delay(DELAY_MS);
  return {
    first,
    later: await run('./child-identities.ts'),
    floor: await run('./child-identities-floor.ts'),
  };
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
