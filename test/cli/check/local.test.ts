import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startProvider } from '../../../local/provider/server.ts';
import { destination, organization, settingsFile } from '../../infra/settings-fixture.ts';
import { runProvider, runStandIn } from '../../local/one-session.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { orglogHere, type Surroundings } from '../in-process.ts';
import { orglog } from '../orglog.ts';

const ORG_URL = 'https://institution.edu/';
const PASSWORD = 'correct horse/battery+staple';
const PERSONNEL = 'https://hr.institution.edu';
const group = { permissions: ['read'], attributeAuthorities: [PERSONNEL] };

const provider = await startProvider({
  file: ':memory:',
  organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
  credentials: [
    {
      ...{ username: 'collector', password: PASSWORD, orgUrls: [ORG_URL] },
      identities: { orgDomain: 'institution.edu', environments: { prod: group } },
    },
  ],
});
afterAll(() => provider.close());
const env = { ORGLOG_USERNAME: 'collector', ORGLOG_PASSWORD: PASSWORD };

async function check(args: readonly string[], surroundings: Surroundings = {}) {
  const ended = await orglogHere(['check', ...args], surroundings);
  const stdout = ended.stdout.replaceAll(provider.url, 'https://api.institution.edu');
  return { ...ended, stdout };
}

describe('settings before they are deployed', async () => {
  const folder = await temporaryFolder();
  afterAll(() => folder[Symbol.asyncDispose]());

  async function settings(members: Record<string, unknown>): Promise<string[]> {
    const file = join(folder.path, 'orglog.config.json');
    const baseUrl = provider.url;
    await writeFile(file, JSON.stringify(settingsFile({ provider: { baseUrl }, ...members })));
    return ['--config', file];
  }
  const one = (members: Record<string, unknown> = {}) =>
    settings({ organizations: [organization('institution', { orgUrl: ORG_URL, ...members })] });
  const steady = (text: string) => text.replaceAll(folder.path, '…');

  test('are tried at the provider, with nothing of AWS at hand', async () => {
    const identities = { environments: ['prod'], authorities: [PERSONNEL], credential: 'both' };
    const args = await one({ credential: 'both', identities });
    const { outcome, stdout, stderr } = await check(args, { env });
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(steady(stdout)).toMatchSnapshot();
  });

  test('name what was meant where the orgUrl is wrong', async () => {
    const args = await one({ orgUrl: 'http://institution.edu' });
    const { outcome, stdout, stderr } = await check(args, { env, columns: 80 });
    expect(outcome).toBe(1);
    // How the first is wrapped depends on the folder's name.
    expect(stdout.slice(stdout.indexOf('provider: '))).toMatchSnapshot();
    expect(stderr.endsWith('orglog: 1 of 6 checks failed\n')).toBe(true);
  });

  test('with every fault of the file a line of its own', async () => {
    const args = await settings({
      organizations: [organization('institution', { orgUrl: 'institution.edu', limit: 0 })],
      destinations: [destination('splunk'), destination('splunk')],
    });
    const { outcome, stdout } = await check(args, { env });
    expect(outcome).toBe(1);
    expect(steady(stdout)).toMatchSnapshot();
  });

  test('say what was not tried: no credential, several credentials, one of its own', async () => {
    const none = await check(await one());
    expect(none.outcome).toBe(0);
    expect(none.stdout).toMatch(/· institution: credential and orgUrl were not tried: set ORGLOG_USERNAME/);
    const two = ['institution', 'college'].map((id) => organization(id, { orgUrl: `https://${id}.edu/` }));
    const args = await settings({ organizations: two });
    const both = await check(args, { env });
    expect(both.stdout).toMatch(/· college: .* name one organization with --org/);
    const named = await check([...args, '--org', 'institution'], { env });
    expect(named.stdout).toMatch(/✓ institution: orgUrl "https:\/\/institution\.edu\/" may be read\n$/);
    const own = await check(await one({ identities: { environments: ['prod'] } }), { env });
    expect(own.stdout).toMatch(/· institution: the credential of the identity records was not tried/);
    expect(await check([...args, '--org', 'x'], { env })).toMatchObject({ outcome: 3 });
  });

  test('tell of a provider that is not there, another than it seems, or of another time', async () => {
    const elsewhere = (baseUrl: string) => settings({ provider: { baseUrl } });
    expect((await check(await elsewhere('http://127.0.0.1:1'))).stdout).toMatch(
      /✗ provider: cannot be reached \(.*refused/,
    );
    expect((await check(await elsewhere(`${provider.url}/other`))).stdout).toMatch(
      /✗ provider: .*answers 404, as its log interface does not: correct the base URL/,
    );
    expect((await check(['--config', join(folder.path, 'none.json')])).stdout).toMatch(
      /✗ settings: .*cannot be read/,
    );
    provider.faults.add({ kind: 'status', status: 503 });
    expect((await check(await one())).stdout).toMatch(
      /✗ provider: .* answers 503: see the provider's status/,
    );
  });

  test('a call that is wrong names every fault', async () => {
    const { outcome, stderr } = await check([
      '--config',
      'x',
      '--data-dir',
      'y',
      '--stack',
      'z',
      '--consumer',
      'splunk',
      '--org',
      '-',
      '--bogus',
    ]);
    expect(outcome).toBe(2);
    expect(stderr).toMatchSnapshot();
  });
});

describe('a data folder', () => {
  test('of the built-in stand-in', async () => {
    await using folder = await temporaryFolder();
    await runStandIn(folder.path, 20);
    const { outcome, stdout, stderr } = await check(['--data-dir', folder.path]);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    expect(stdout.replaceAll(folder.path, '…').replace(/✓ archive: .*/, '✓ archive: …')).toMatchSnapshot();
  });

  test('of a real log, as a process, with the credential gone, wrong and right', async () => {
    await using folder = await temporaryFolder();
    const log = { org: 'institution', baseUrl: provider.url, orgUrl: ORG_URL };
    await runProvider(folder.path, { ...log, environment: env });
    const args = ['--data-dir', folder.path];
    const gone = await orglog(['check', ...args]);
    expect(gone.outcome).toBe(1);
    expect(gone.stdout).toContain(
      '✗ institution: there is no credential: set ORGLOG_USERNAME and ORGLOG_PASSWORD',
    );
    const wrong = await check(args, { env: { ...env, ORGLOG_PASSWORD: 'wrong' } });
    expect(wrong.outcome).toBe(1);
    expect(wrong.stdout).toMatch(
      /✗ institution: the provider refuses the credential .*: correct ORGLOG_USERNAME .* 15 minutes/,
    );
    expect(await check(args, { env })).toMatchObject({ outcome: 0, stderr: '' });
  });

  test('that is none', async () => {
    await using folder = await temporaryFolder();
    const { outcome, stdout } = await check(['--data-dir', folder.path]);
    expect(outcome).toBe(1);
    expect(stdout).toMatch(/^✗ system: .* holds no data of orglog/);
  });

  test('keeps no credential: orglog secret set says so before it asks', async () => {
    await using folder = await temporaryFolder();
    await runStandIn(folder.path, 1);
    const args = ['secret', 'set', '--org', 'institution', '--data-dir', folder.path];
    const { outcome, stderr } = await orglogHere(args, { columns: 80 });
    expect(outcome).toBe(1);
    expect(stderr).toContain('a data folder keeps no credential');
    expect(stderr).not.toContain('User name');
  });
});
