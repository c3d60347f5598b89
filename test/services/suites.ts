import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { temporaryFolder } from '../local/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

const results = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numFailedTestSuites: z.int(),
  numPendingTests: z.int(),
});

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What the runner said, where anything failed. */
  readonly said: string;
}

/** Runs test files in a process of their own. @param beyond parts of names: tests that are left out */
export async function runSuites(
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  beyond: readonly string[] = [],
): Promise<Tally> {
  await using folder = await temporaryFolder();
  const outputFile = join(folder.path, 'results.json');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${outputFile}`];
  const leftOut = beyond.length === 0 ? [] : ['--testNamePattern', `^(?!.*(${beyond.join('|')}))`];
  const config = ['--config', 'vitest.services.config.ts'];
  const child = spawn(process.execPath, [VITEST, 'run', ...config, ...reporters, ...leftOut, ...files], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill();
  process.once('exit', end);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  process.off('exit', end);
  const said = `${stdout}${stderr}`;
  const written = await readFile(outputFile, 'utf8').catch(() => undefined);
  if (written === undefined) return { passed: 0, failed: 1, skipped: 0, said };
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = results.parse(
    JSON.parse(written),
  );
  const failed = code === 0 ? 0 : Math.max(1, numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  return { passed: numPassedTests, failed, skipped: numPendingTests, said: failed > 0 ? said : '' };
}
