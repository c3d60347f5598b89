import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { orglog, startOrglog } from './orglog.ts';

const ORG_URL = 'https://institution.edu/';
const ENV = { ORGLOG_USERNAME: 'collector', ORGLOG_PASSWORD: 'correct-horse' };

/** A provider whose log holds `count` events of the last minutes. */
async function provider(count: number): Promise<Provider> {
  const started = await startProvider({
    file: ':memory:',
    organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
    credentials: [{ username: 'collector', password: 'correct-horse', orgUrls: [ORG_URL] }],
  });
  add(started, count);
  return started;
}

function add(started: Provider, count: number): void {
  const toMs = Date.now();
  const fromMs = started.newestMs(ORG_URL) ?? toMs - 60_000;
  const span = { fromMs, toMs, count, seed: started.count(ORG_URL) };
  started.append(ORG_URL, generateTraffic({ ...span, orgUrl: ORG_URL, orgDomain: 'institution.edu' }));
}

const reading = (url: string, folder: string, ...more: string[]) => [
  ...['local', '--base-url', url, '--org-url', ORG_URL, '--data-dir', folder],
  ...more,
];

async function siemOf(folder: string): Promise<string[]> {
  return (await readFile(join(folder, 'siem.ndjson'), 'utf8')).split('\n').slice(0, -1);
}

describe('a real provider', () => {
  test('is read from one start to the next, nothing twice', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(700);
    const args = reading(source.url, folder.path, '--once', '--limit', '100');
    const first = await orglog(args, ENV);
    expect(first).toMatchObject({ outcome: 0, stderr: '' });
    expect(first.stdout).toMatch(/^institution\.edu: 700 events in /);
    add(source, 50);
    expect((await orglog(args, ENV)).stdout).toMatch(/^institution\.edu: 50 events in 1 page /);
    expect(await siemOf(folder.path)).toEqual([...source.lines(ORG_URL)]);
  });

  test('is read with filters', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(300);
    const args = reading(
      source.url,
      folder.path,
      '--once',
      '--org',
      'acme',
      '--filter',
      'logType=authentication',
    );
    expect((await orglog(args, ENV)).stdout).toMatch(/^acme: \d+ events in /);
    const expected = [...source.lines(ORG_URL)].filter(
      (line) => JSON.parse(line).logType === 'authentication',
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(await siemOf(folder.path)).toEqual(expected);
    const unfiltered = reading(source.url, folder.path, '--once', '--org', 'acme');
    expect(await orglog(unfiltered, ENV)).toMatchObject({
      outcome: 1,
      stderr: expect.stringContaining('filters'),
    });
  });

  test('is read from a token, but only where there is no cursor yet', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(20);
    const args = reading(source.url, folder.path, '--once', '--from-token', source.startToken(ORG_URL));
    expect(await orglog(args, ENV)).toMatchObject({ outcome: 0, stderr: '' });
    expect(await siemOf(folder.path)).toHaveLength(20);
    expect(await orglog(args, ENV)).toEqual({
      outcome: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^orglog: --from-token is for a first start, but institution\.edu has a cursor/,
      ),
    });
  });

  test('is read on a schedule, over a failure of the provider', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(5);
    await using running = startOrglog(reading(source.url, folder.path, '--every', '1'), ENV);
    await running.printed(/5 events in/);
    source.faults.add({ kind: 'status', status: 404 }, { times: 1 });
    source.faults.add({ kind: 'reset' }, { times: 1 });
    add(source, 7);
    await running.printed(/12 events in/);
    running.kill('SIGTERM');
    const { outcome, stdout, stderr } = await running.ended;
    expect(outcome).toBe(0);
    expect(stdout).not.toContain(ENV.ORGLOG_PASSWORD);
    expect(stderr).toMatch(/^\d\d:\d\d:\d\d .*404/);
    expect(await siemOf(folder.path)).toEqual([...source.lines(ORG_URL)]);
  });

  test('and its events do not mix with invented ones', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(5);
    await orglog(['local', '--once', '--events', '5', '--data-dir', folder.path]);
    expect(await orglog(reading(source.url, folder.path, '--once'), ENV)).toMatchObject({
      outcome: 1,
      stderr: expect.stringContaining('must not mix with real ones'),
    });
  });
});

describe('trouble is one sentence that says what to do, and exit code 1', () => {
  async function failure(args: string[], env = ENV): Promise<string> {
    const { outcome, stdout, stderr } = await orglog(args, env);
    expect({ outcome, stdout }).toEqual({ outcome: 1, stdout: '' });
    expect(stderr).toMatch(/^orglog: [^\n]+\n$/);
    expect(stderr).not.toMatch(/correct-horse|wrong-horse|\bat \S+ \(/);
    return stderr;
  }

  test('wrong credentials', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(1);
    const env = { ...ENV, ORGLOG_PASSWORD: 'wrong-horse' };
    expect(await failure(reading(source.url, folder.path, '--once'), env)).toMatch(
      /refuses the credential.*ORGLOG_USERNAME and ORGLOG_PASSWORD/,
    );
    // A fault that will not pass ends the schedule, too.
    const scheduled = await orglog(reading(source.url, folder.path), env);
    expect(scheduled).toMatchObject({
      outcome: 1,
      stderr: expect.stringContaining('refuses the credential'),
    });
  });

  test('a wrong orgUrl: those that are permitted are listed', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(1);
    const args = reading(source.url, folder.path, '--once').with(4, 'https://institution.edu');
    expect(await failure(args)).toContain('"https://institution.edu/"');
  });

  test('an unreachable server', async () => {
    await using folder = await temporaryFolder();
    const startedAt = performance.now();
    expect(await failure(reading('http://127.0.0.1:9', folder.path, '--once'))).toContain(
      'connection was refused',
    );
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('a server that speaks no JSON', async () => {
    await using folder = await temporaryFolder();
    await using source = await provider(1);
    source.faults.add({ kind: 'html' }, { times: Infinity });
    expect(await failure(reading(source.url, folder.path, '--once'))).toMatch(
      /text\/html.*Check the base URL/,
    );
  });

  test('a server of another kind', async () => {
    await using folder = await temporaryFolder();
    const server = createServer((_, response) => response.writeHead(404).end('no such page'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      expect(await failure(reading(`http://127.0.0.1:${port}`, folder.path, '--once'))).toMatch(
        /404 no such page.*check the base URL/,
      );
    } finally {
      server.close();
    }
  });

  test('a data folder that cannot be one', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'file');
    await writeFile(path, '');
    expect(await failure(['local', '--once', '--data-dir', join(path, 'data')])).toContain(
      'a file is where a folder',
    );
  });
});
