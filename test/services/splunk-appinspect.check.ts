import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../local/temporary-folder.ts';

const run = promisify(execFile);
const ADD_ON = fileURLToPath(new URL('../../siem/splunk/TA-orglog', import.meta.url));

/** Warnings that need nothing done, by check → why. */
const ANSWERED: Readonly<Record<string, string>> = {
  check_collections_conf:
    'the collection holds the identities for Enterprise Security; AppInspect itself says that no action is required',
};

const report = z.object({
  summary: z.record(z.string(), z.int()),
  reports: z.array(
    z.object({
      groups: z.array(
        z.object({
          checks: z.array(
            z.object({
              name: z.string(),
              result: z.string(),
              messages: z.array(z.object({ message: z.string() })),
            }),
          ),
        }),
      ),
    }),
  ),
});

it('finds no failure in the Splunk add-on, and no warning that is not answered', async () => {
  await using folder = await temporaryFolder();
  const addOn = join(folder.path, 'TA-orglog');
  await cp(ADD_ON, addOn, { recursive: true });
  const output = join(folder.path, 'report.json');
  const inspect = 'import sys; from splunk_appinspect.main import execute; sys.exit(execute())';
  const args = ['-c', inspect, 'inspect', addOn, '--data-format', 'json', '--output-file', output];
  await run('python3', args, {
    cwd: folder.path,
    env: { ...process.env, PYTHONPATH: process.env.ORGLOG_TEST_APPINSPECT, HOME: folder.path },
  });
  const { summary, reports } = report.parse(JSON.parse(await readFile(output, 'utf8')));
  const checks = reports.flatMap(({ groups }) => groups.flatMap((group) => group.checks));
  const troubles = checks.filter(
    ({ name, result }) =>
      ['error', 'failure', 'future_failure'].includes(result) ||
      (result === 'warning' && !(name in ANSWERED)),
  );
  expect(troubles).toStrictEqual([]);
  expect(summary.success).toBeGreaterThan(100);
  const warned = checks.filter(({ result }) => result === 'warning').map(({ name }) => name);
  expect(Object.keys(ANSWERED).filter((name) => !warned.includes(name))).toStrictEqual([]);
});
