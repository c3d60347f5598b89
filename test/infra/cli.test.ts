import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../adapters/self-signed.ts';
import { destination, manyOrganizations, pushDestination, settingsFile } from './settings-fixture.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'orglog-cdk-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly seconds: number;
}

/** The CDK's command as a person without an AWS account runs it: no credentials, no region, no docker, no network. */
function cdk(...args: string[]): Promise<Answer> {
  const started = performance.now();
  const nowhere = 'http://127.0.0.1:9';
  const env = {
    PATH: dirname(process.execPath),
    HOME: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
    CI: 'true',
  };
  const command = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  return new Promise((done) => {
    execFile(
      process.execPath,
      [command, ...args],
      { cwd: ROOT, env, timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : Number(error.code ?? 1);
        done({ code, text: stdout + stderr, seconds: (performance.now() - started) / 1000 });
      },
    );
  });
}

function settings(name: string, members: Record<string, unknown>): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(settingsFile(members)));
  return `settings=${file}`;
}

describe('cdk, with no AWS account', () => {
  it('synthesizes ten organizations in less than a minute', async () => {
    // Beside the settings file, which says where it is.
    writeFileSync(join(folder, 'authority.pem'), selfSigned('splunk.institution.edu').cert);
    const file = settings('ten.json', {
      organizations: manyOrganizations(10).map((one, index) =>
        index < 2
          ? { ...one, credential: 'shared', identities: { environments: ['prod'], redact: ['mail'] } }
          : one,
      ),
      destinations: [
        destination('splunk', { consumer: { principal: '111122223333', externalId: 'external-id' } }),
        pushDestination('hec', 'splunk', { privateCa: 'authority.pem' }),
      ],
      retention: { archiveDays: 400 },
      tags: { application: 'orglog' },
    });
    const out = join(folder, 'out');
    const { code, text, seconds } = await cdk('synth', '--quiet', '-c', file, '-o', out);
    expect(text).toContain('Successfully synthesized');
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(60);
    console.log(`cdk synth of 10 organizations took ${seconds.toFixed(1)} s`);

    const template = readFileSync(join(out, 'orglog-collectors-1.template.json'), 'utf8');
    expect(template.match(/"AWS::Lambda::Function"/g)).toHaveLength(10);
    const assets = readdirSync(out).filter((name) => name.startsWith('asset.'));
    expect(assets).toHaveLength(3);
    const files = assets.map((asset) => readdirSync(join(out, asset)));
    expect(files.sort()).toStrictEqual([['collect.mjs'], ['deliver-splunk.mjs'], ['sync-identities.mjs']]);
  });

  it('tells every fault of the settings, without a stack trace', async () => {
    const out = join(folder, 'faulty');
    const { code, text } = await cdk('synth', '-c', settings('bad.json', { name: 'X', tags: 3 }), '-o', out);
    expect(code).toBe(1);
    expect(text).toMatch(
      /bad\.json has 2 faults; nothing was synthesized:\n {2}name is "X": .*\n {2}tags is 3: /,
    );
    expect(text).not.toMatch(/\n\s+at /);
    expect(existsSync(join(out, 'manifest.json'))).toBe(false);
  });

  it("refuses to deploy the example's settings before it asks anything of AWS", async () => {
    const example = 'settings=orglog.config.example.json';
    const { code, text } = await cdk(
      'deploy',
      '--all',
      '-c',
      'deploy=true',
      '-c',
      example,
      '-o',
      join(folder, 'example'),
    );
    expect(code).toBe(1);
    expect(text).toMatch(/copy it to orglog\.config\.json and make them yours; the example is not deployed/);
  });
});
