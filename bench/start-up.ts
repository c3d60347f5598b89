import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions, entryPoint } from '../functions/bundle.ts';
import type { Row } from './table.ts';

/** Largest bundle of a handler. */
export const MAX_BUNDLE_BYTES = 1_500_000;
const MAX_RATIO = 1.3;

const run = promisify(execFile);

/** Plain JavaScript: a process that has to strip types first has loaded half of Node before it measures. */
const IMPORT = `
const startedAt = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - startedAt));`;

/**
 * Start-up of the collect function: the size of its bundle, and the time of its import against a module that imports
 * the same SDK clients, bundled the same way. Each import happens in a process of its own, the two in
 * turns.
 *
 * @param rounds how many imports of each; the median of the pairs' ratios counts
 */
export async function startUp(rounds = 25): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'orglog-bench-'));
  try {
    const collect = await bundled(entryPoint('collect'), join(folder, 'collect.mjs'));
    const floor = await bundled(
      fileURLToPath(import.meta.resolve('./start-up-floor.ts')),
      join(folder, 'floor.mjs'),
    );
    // Both files once, uncounted: what is measured is not the disk.
    for (const { file } of [collect, floor]) await importMs(file);
    const pairs: { collectMs: number; floorMs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      pairs.push({ collectMs: await importMs(collect.file), floorMs: await importMs(floor.file) });
    }
    // Of each pair, so that a machine that grows slower or busier meanwhile does not show.
    const ratio = median(pairs.map(({ collectMs, floorMs }) => collectMs / floorMs));
    return [
      {
        benchmark: 'start-up, bundle',
        measured: `${Math.round(collect.bytes / 1000)} kB`,
        floor: `${Math.round(floor.bytes / 1000)} kB SDK`,
        ratio: (collect.bytes / floor.bytes).toFixed(2),
        target: `≤ ${MAX_BUNDLE_BYTES / 1000} kB`,
        met: collect.bytes <= MAX_BUNDLE_BYTES,
      },
      {
        benchmark: `start-up, import (${rounds} each)`,
        measured: `${median(pairs.map(({ collectMs }) => collectMs)).toFixed(0)} ms`,
        floor: `${median(pairs.map(({ floorMs }) => floorMs)).toFixed(0)} ms SDK`,
        ratio: ratio.toFixed(2),
        target: `≤ ${MAX_RATIO}`,
        met: ratio <= MAX_RATIO,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bundled(entry: string, outfile: string): Promise<{ file: string; bytes: number }> {
  await build({ ...bundleOptions, entryPoints: [entry], outfile });
  return { file: outfile, bytes: (await stat(outfile)).size };
}

async function importMs(file: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', IMPORT, file]);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
