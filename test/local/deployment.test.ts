import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../functions/core/operate/ports.ts';
import { openLocalDeployment } from '../../local/deployment.ts';
import { lockFolder } from '../../local/folder-lock.ts';
import { startProvider } from '../../local/provider/server.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { startOrglog } from '../cli/orglog.ts';
import { never, rejection } from '../contracts/support.ts';
import { runProvider, runStandIn } from './one-session.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** How many events the deployment's first organization's log serves, read as an operator does. */
async function readFirstPage(deployment: Deployment, credential?: { username: string; password: string }) {
  const [organization] = deployment.organizations;
  if (organization === undefined) throw new Error('no organization');
  const row = await deployment.cursors.read({ org: organization.id, stream: 'logs' }, never);
  await using source = deployment.source(organization, credential);
  const token = row?.token;
  const request = { limit: 10, freshCredential: false, ...(token !== undefined && { token }) };
  return { page: await source.readPage(request, never), orgUrls: await source.permittedOrgUrls(never) };
}

async function keysOf(deployment: Deployment): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of deployment.archive.list('logs/', {}, never))
    keys.push(...page.map(({ key }) => key));
  return keys;
}

describe('a data folder as a deployment', () => {
  test('of the stand-in, at rest: the stand-in is started from the folder for who reads it', async () => {
    await using folder = await temporaryFolder();
    await runStandIn(folder.path, 300, { limit: 100, batchBytes: 1, push: [{ name: 'splunk' }] });
    await using deployment = await openLocalDeployment(folder.path, {});
    expect(deployment).toMatchObject({
      title: `data folder ${folder.path}`,
      organizations: [
        {
          ...{ id: 'institution', baseUrl: 'stand-in', orgUrl: 'https://institution.edu/', filters: {} },
          ...{ limit: 100, everyMs: 2000, onStaleToken: 'continue', identities: [] },
        },
      ],
      destinations: [
        { id: 'siem', kind: 'file', delivery: 'pull' },
        { id: 'splunk-stand-in', kind: 'splunk', delivery: 'push' },
      ],
    });
    const [row, ...more] = await deployment.cursors.list(never);
    expect(more).toStrictEqual([]);
    expect(row).toMatchObject({ org: 'institution', announced: { siem: row?.sequence } });
    expect(await keysOf(deployment)).toHaveLength(row?.sequence ?? 0);
    for (const { id } of deployment.destinations) {
      expect(await deployment.queue(id).standing(never)).toStrictEqual({ visible: 0, inFlight: 0, dead: 0 });
    }
    expect(() => deployment.queue('elastic')).toThrow(
      /has no destination elastic: it has siem, splunk-stand-in/,
    );
    expect(deployment.isAtWork()).toBe(false);
    // Twice, also within a claim of one's own: the folder's lock is held once.
    using _claim = deployment.claim();
    for (let time = 0; time < 2; time += 1) {
      expect(await readFirstPage(deployment)).toMatchObject({
        page: { kind: 'body' },
        orgUrls: ['https://institution.edu/'],
      });
    }
    const wrong = { username: 'orglog', password: 'wrong' };
    expect((await readFirstPage(deployment, wrong)).page).toMatchObject({ kind: 'status', status: 401 });
    expect(() => lockFolder(folder.path)).toThrow(/another orglog is at work/);
  });

  test('of the stand-in, at work: it is reached where it listens, and can be paused', async () => {
    await using folder = await temporaryFolder();
    await using running = startOrglog(['local', '--every', '1', '--events', '50', '--data-dir', folder.path]);
    await running.printed(/ events in /);
    await using deployment = await openLocalDeployment(folder.path, {});
    expect(deployment.isAtWork()).toBe(true);
    expect(() => deployment.claim()).toThrow(/another orglog is at work in/);
    expect(await readFirstPage(deployment)).toMatchObject({
      page: { kind: 'body' },
      orgUrls: ['https://institution.edu/'],
    });
    const key = { org: 'institution', stream: 'logs' };
    expect(await deployment.cursors.setPaused(key, true, never)).toBe('written');
    await running.complained(/paused by an operator/);
    running.kill('SIGKILL');
    await running.ended;
    expect(deployment.isAtWork()).toBe(false);
    // The address that it left behind is not taken for one where something listens.
    expect((await readFirstPage(deployment)).page).toMatchObject({ kind: 'body' });
  });

  test('of a provider elsewhere: the credential is the environment’s, which keeps none', async () => {
    await using folder = await temporaryFolder();
    const orgUrl = 'https://login.institution.edu/';
    const credential = { username: 'collector', password: 'correct-horse' };
    await using provider = await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl, orgDomain: 'institution.edu' }],
      credentials: [{ ...credential, orgUrls: [orgUrl] }],
    });
    const now = Date.now();
    const span = { fromMs: now - 600_000, toMs: now, count: 20, seed: 1 };
    provider.append(orgUrl, generateTraffic({ orgUrl, orgDomain: 'institution.edu', ...span }));
    const env = { ORGLOG_USERNAME: credential.username, ORGLOG_PASSWORD: credential.password };
    const log = { baseUrl: provider.url, orgUrl, filters: { service: 'bridge' }, environment: env };
    for (const org of ['one', 'two', 'one']) await runProvider(folder.path, { org, ...log });
    expect(await readFile(join(folder.path, 'run.json'), 'utf8')).not.toContain(credential.password);

    await using deployment = await openLocalDeployment(folder.path, env);
    expect(deployment.organizations).toMatchObject([
      { id: 'two', baseUrl: provider.url },
      { id: 'one', baseUrl: provider.url, orgUrl, filters: { service: 'bridge' }, everyMs: 2_000 },
    ]);
    expect(await readFirstPage(deployment)).toMatchObject({ page: { kind: 'body' }, orgUrls: [orgUrl] });
    const { secrets, organizations } = deployment;
    const secret = organizations[0]?.secret ?? '';
    expect(await secrets.describe(secret, never)).toStrictEqual({ kind: 'stored' });
    expect(await secrets.read(secret, never)).toStrictEqual(credential);
    const refusal = await rejection(secrets.store(secret, credential, never));
    expect(refusal).toMatchObject({ code: 'configuration' });
    expect(refusal.message).toMatch(/nothing was stored: .* ORGLOG_USERNAME and ORGLOG_PASSWORD/);

    await using without = await openLocalDeployment(folder.path, { ORGLOG_USERNAME: 'collector' });
    expect(await without.secrets.describe(secret, never)).toStrictEqual({ kind: 'empty' });
    expect((await rejection(readFirstPage(without))).message).toMatch(/ORGLOG_PASSWORD is not set/);
    expect((await readFirstPage(without, credential)).page).toMatchObject({ kind: 'body' });
    await using bare = await openLocalDeployment(folder.path, {});
    expect(await bare.secrets.describe(secret, never)).toStrictEqual({ kind: 'missing' });
  });
});

describe('a folder that is none', () => {
  test('without any data: what to run first, and nothing is made', async () => {
    await using folder = await temporaryFolder();
    for (const path of [folder.path, join(folder.path, 'elsewhere')]) {
      const error = await rejection(openLocalDeployment(path, {}));
      expect(error.code).toBe('not-found');
      expect(error.message).toContain(
        `holds no data of orglog: run \`orglog local --data-dir ${path}\` first`,
      );
    }
    expect(await readdir(folder.path)).toStrictEqual([]);
  });

  test('filled by an earlier version, or damaged: a start of orglog local mends it', async () => {
    await using folder = await temporaryFolder();
    await runStandIn(folder.path, 0);
    const run = join(folder.path, 'run.json');
    await rm(run);
    expect(await rejection(openLocalDeployment(folder.path, {}))).toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/earlier version of orglog.* start `orglog local/),
    });
    await writeFile(run, '{"organizations":');
    expect(await rejection(openLocalDeployment(folder.path, {}))).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/run\.json cannot be understood: remove it/),
    });
    await runStandIn(folder.path, 0);
    await using deployment = await openLocalDeployment(folder.path, {});
    expect(deployment.organizations.map(({ id }) => id)).toStrictEqual(['institution']);
    await rm(join(folder.path, 'provider.sqlite'));
    expect(await rejection(readFirstPage(deployment))).toMatchObject({ code: 'not-found' });
  });
});
