import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { synthesizeApp } from '../artefact/assembly.ts';
import {
  destination,
  followed,
  organization,
  pushDestination,
  settingsFile,
} from '../infra/settings-fixture.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const run = promisify(execFile);

/** Warnings that need nothing done, by rule → why. */
const ANSWERED: Readonly<Record<string, string>> = {
  W3005: 'the CDK waits for a role’s policies by naming the role too, which costs nothing',
};

const found = z.array(
  z.object({ Level: z.string(), Message: z.string(), Rule: z.object({ Id: z.string() }).loose() }).loose(),
);

it('finds the templates right by CloudFormation’s own schemas, and no warning that is not answered', async () => {
  await using assembly = await synthesizeApp(
    settingsFile({
      organizations: [organization('institution'), followed('college', { redact: ['mail'] })],
      destinations: [
        destination('splunk'),
        destination('elastic', { kind: 'elastic' }),
        pushDestination('splunk-push'),
        pushDestination('elastic-push', 'elastic'),
      ],
    }),
  );
  await using folder = await temporaryFolder();
  const files = assembly.stacks.map(({ name, template }) => ({
    file: join(folder.path, `${name}.json`),
    template,
  }));
  for (const { file, template } of files) await writeFile(file, JSON.stringify(template));
  const lint = 'import sys; from cfnlint.runner import main; sys.argv[0] = "cfn-lint"; main()';
  const args = ['--regions', 'us-east-1', '--format', 'json', '--template', ...files.map(({ file }) => file)];
  const { stdout } = await run('python3', ['-c', lint, ...args], {
    env: { ...process.env, PYTHONPATH: process.env.ORGLOG_TEST_CFN_LINT },
    maxBuffer: 64 << 20,
    // It ends with an error where it found anything.
  }).catch((error: { stdout?: string }) => {
    if (!error.stdout?.startsWith('[')) throw error;
    return { stdout: error.stdout };
  });
  const matches = found.parse(JSON.parse(stdout));
  const open = matches.filter(({ Level, Rule }) => Level === 'Error' || !(Rule.Id in ANSWERED));
  expect(open.map(({ Message, Rule }) => `${Rule.Id} ${Message}`)).toStrictEqual([]);
  const unheard = Object.keys(ANSWERED).filter((id) => !matches.some(({ Rule }) => Rule.Id === id));
  expect(unheard).toStrictEqual([]);
});
