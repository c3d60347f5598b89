import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFlags } from '../../../local/provider/flags.ts';
import { call, numbered, ORG_URL, readAll, readPage, start } from './support.ts';

const MAIN = fileURLToPath(new URL('../../../local/provider/main.ts', import.meta.url));
const SECRETS = { ORGLOG_USERNAME: 'reader', ORGLOG_PASSWORD: 'pass:word é' };

let folder: string;
let file: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'provider-'));
  file = join(folder, 'state.sqlite');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

describe('a file', () => {
  it('keeps the log and the tokens over a restart', async () => {
    let nextToken: string;
    {
      await using provider = await start({ file });
      provider.appendRaw(ORG_URL, numbered(5));
      nextToken = String((await readPage(provider, { limit: 3 })).nextToken);
    }
    await using provider = await start({ file });
    expect(provider.count(ORG_URL)).toBe(5);
    expect((await readPage(provider, { nextToken })).logEvents).toEqual([{ number: 4 }, { number: 5 }]);
    provider.appendRaw(ORG_URL, [{ json: '{"number":6}', timeMs: 0 }]);
    expect([...provider.lines(ORG_URL)].at(-1)).toBe('{"number":6}');
  });

  it('belongs to one stand-in at a time', async () => {
    await using _provider = await start({ file });
    await expect(start({ file })).rejects.toMatchObject({ name: 'OrglogError', code: 'storage' });
  });

  it('is let go when the port is taken', async () => {
    await using first = await start();
    const port = Number(new URL(first.url).port);
    await expect(start({ file, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await using provider = await start({ file });
    expect(provider.count(ORG_URL)).toBe(0);
  });
});

it('appends all of a batch or nothing', async () => {
  await using provider = await start();
  const [first, second] = numbered(2);
  const broken = { json: '{}', timeMs: Number.NaN };
  expect(() =>
    provider.appendRaw(
      ORG_URL,
      [first, broken, second].filter((each) => each !== undefined),
    ),
  ).toThrow();
  expect([provider.count(ORG_URL), provider.newestMs(ORG_URL)]).toEqual([0, undefined]);
  provider.appendRaw(ORG_URL, numbered(1));
  expect((await readPage(provider)).count).toBe(1);
});

it('refuses to append to an organization it does not have', async () => {
  await using provider = await start();
  const unknown = () => provider.appendRaw('https://login.institution.edu', numbered(1));
  expect(unknown).toThrow(/no organization https:\/\/login\.institution\.edu:/);
});

describe('as a process of its own', () => {
  async function launch(...args: string[]) {
    const child = spawn(process.execPath, [MAIN, '--file', file, ...args], {
      env: { ...process.env, ...SECRETS },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url, startToken } = JSON.parse(line) as { url: string; startToken: string };
    return { child, startToken, provider: { url } };
  }

  it('serves its backlog, survives kill -9 and ends on SIGTERM', async () => {
    const first = await launch('--events', '1500', '--seed', '4');
    const before = (await readAll(first.provider)).flatMap(({ logEvents }) => logEvents);
    expect(before).toHaveLength(1500);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await launch('--events', '1500', '--seed', '4');
    const nextToken = first.startToken;
    const after = (await readAll(second.provider, { nextToken })).flatMap(({ logEvents }) => logEvents);
    expect(after).toEqual(before);

    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  it('goes on producing events when asked to', async () => {
    const { provider, startToken } = await launch('--live-per-hour', '36000');
    let page = await readPage(provider, { nextToken: startToken });
    while (page.count === 0) page = await readPage(provider, { nextToken: String(page.nextToken) });
    expect(page.logEvents[0]).toMatchObject({ orgUrl: ORG_URL });
  });

  it('has identities when asked to, once, and its credential may do everything with them', async () => {
    const paths = ['/identities/v1/list/prod', '/identities/v1/list/test', '/identities/v1/permissions'];
    for (let round = 0; round < 2; round += 1) {
      const { child, provider } = await launch('--identities', '120');
      const replies = await Promise.all(paths.map((path) => call(provider, { path })));
      const [prod, test, permissions] = replies.map(({ text }) => JSON.parse(text));
      expect([prod.total_items, test.total_items, permissions.obid]).toEqual([120, 0, ['read', 'write']]);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('says what is wrong with its flags, and exits with 2', async () => {
    const child = spawn(process.execPath, [MAIN, '--events', 'many'], {
      env: SECRETS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(text).toContain('--events "many": must be a whole number');
  });
});

describe('flags', () => {
  it('have defaults', () => {
    expect(parseFlags([], SECRETS)).toMatchObject({
      port: 0,
      file: ':memory:',
      events: 0,
      identities: 0,
      seed: 1,
      'org-url': ORG_URL,
    });
  });

  it('are refused all at once, by name and value, secrets by name only', () => {
    const env = { ORGLOG_USERNAME: 'a:b' };
    const parse = () => parseFlags(['--port', '99999', '--events=-1', '--org-url', 'x'], env);
    expect(parse).toThrow(
      /--port "99999".*--events "-1".*--org-url "x".*ORGLOG_USERNAME.*colon.*ORGLOG_PASSWORD.*required/s,
    );
    expect(parse).not.toThrow(/a:b/);
    expect(() => parseFlags(['--nonsense'], SECRETS)).toThrow(/the flags are --port/);
  });

  it('are never where a password is', () => {
    expect(() => parseFlags(['--password', 'x'], SECRETS)).toThrow(/Unknown option/);
  });
});

it('closes what a request was reading', async () => {
  const provider = await start();
  provider.appendRaw(ORG_URL, numbered(10));
  const replies = Promise.allSettled(
    Array.from({ length: 5 }, () => call(provider, { query: { orgUrl: ORG_URL } })),
  );
  await provider.close();
  const outcomes = await replies;
  expect(outcomes.every((one) => one.status === 'rejected' || one.value.status === 200)).toBe(true);
});
