import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startProvider } from '../../../local/provider/server.ts';
import { generateTraffic } from '../../../local/provider/traffic.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { orglogHere, type Surroundings } from '../in-process.ts';
import { startOrglog } from '../orglog.ts';

const ORG_URL = 'https://institution.edu/';
const PASSWORD = 'correct horse/battery+staple';
const EVENTS = 1200;

const provider = await startProvider({
  file: ':memory:',
  organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
  credentials: [{ username: 'collector', password: PASSWORD, orgUrls: [ORG_URL] }],
});
afterAll(() => provider.close());
const now = Date.now();
const source = { seed: 1, orgUrl: ORG_URL, orgDomain: 'institution.edu' };
provider.append(ORG_URL, generateTraffic({ ...source, fromMs: now - 3_000_000, toMs: now, count: EVENTS }));
const log = [...provider.lines(ORG_URL)].map((line) => `${line}\n`);

const env = { ORGLOG_BASE_URL: provider.url, ORGLOG_USERNAME: 'collector', ORGLOG_PASSWORD: PASSWORD };
const pull = (args: readonly string[], surroundings: Surroundings = {}) =>
  orglogHere(['pull', '--org-url', ORG_URL, ...args], {
    ...surroundings,
    env: { ...env, ...surroundings.env },
  });
const tokenIn = (stderr: string) =>
  /^next-token: (\S+)\n$/m.exec(stderr.slice(stderr.lastIndexOf('next-')))?.[1] ?? '';

describe('orglog pull', () => {
  test('writes the bytes that were read, one event a line, and says how to go on', async () => {
    const { outcome, stdout, stderr } = await pull(['--limit', '500']);
    expect(outcome).toBe(0);
    expect(stdout).toBe(log.join(''));
    expect(stderr).toMatch(/^1,200 events in 3 pages, [\d.]+ kB: the end of the log\nnext-token: \S+\n$/);
    const again = await pull(['--from-token', tokenIn(stderr)]);
    expect(again).toMatchObject({ outcome: 0, stdout: '' });
    expect(again.stderr).toMatch(/^0 events in 1 page, 0 B: the end of the log\nnext-token: \S+\n$/);
  });

  test('keeps what no parser would give back', async () => {
    const odd = 'https://odd.institution.edu/';
    await using other = await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: odd, orgDomain: 'institution.edu' }],
      credentials: [{ username: 'collector', password: PASSWORD, orgUrls: [odd] }],
    });
    const lines = ['1', '2'].map(
      (n) => `{"eventTime":"${new Date().toISOString()}","n":1${n}345678901234567890,"n":1.0,"ü":"\\u0000"}`,
    );
    other.appendRaw(
      odd,
      lines.map((json) => ({ json, timeMs: Date.now() })),
    );
    const { stdout } = await pull(['--base-url', other.url, '--org-url', odd]);
    expect(stdout).toBe(`${lines.join('\n')}\n`);
  });

  test('asks for what the filters let through', async () => {
    const { outcome, stdout } = await pull(['--filter', 'service=bridge']);
    const wanted = log.filter((line) => JSON.parse(line).service === 'bridge');
    expect({ outcome, stdout }).toEqual({ outcome: 0, stdout: wanted.join('') });
    expect(wanted.length).toBeGreaterThan(0);
  });

  test('shows on a terminal how far it is, in 80 columns', async () => {
    const { stdout, stderr } = await pull(['--limit', '500'], { columns: 80, pipedOut: true });
    expect(stdout).toBe(log.join(''));
    const frames = stderr.split('\r\x1b[K');
    expect(frames[1]).toMatch(/^500 events, 1 page, [\d.]+ kB, up to \d{4}-[\d-]+T[\d:.]+Z$/);
    expect(frames.at(-1)).toMatch(/^1,200 events in 3 pages/);
    const lines = frames
      .join('\n')
      .split('\n')
      .filter((line) => !line.startsWith('next-token'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('--output', () => {
  test('makes a new file, and never overwrites one', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'log.ndjson');
    const { outcome, stdout } = await pull(['--output', file]);
    expect({ outcome, stdout }).toEqual({ outcome: 0, stdout: '' });
    expect(await readFile(file, 'utf8')).toBe(log.join(''));
    const again = await pull(['--output', file]);
    expect(again).toMatchObject({ outcome: 1, stdout: '' });
    expect(again.stderr).toBe(
      `orglog: ${file} is there already: name another file, or add to its end with --append\n`,
    );
    expect(await readFile(file, 'utf8')).toBe(log.join(''));
  });

  test('goes on in the same file after trouble, without a hole and without a repeat', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'log.ndjson');
    const third = ({ query }: { query: Readonly<Record<string, string>> }) => query.nextToken !== undefined;
    provider.faults.add({ kind: 'delay', delayMs: 0 }, { times: 1 });
    provider.faults.add({ kind: 'delay', delayMs: 0 }, { times: 1, on: third });
    provider.faults.add({ kind: 'status', status: 401 }, { times: 2, on: third });
    const args = ['--limit', '300', '--output', file, '--append'];
    const broken = await pull(args);
    expect(broken).toMatchObject({ outcome: 1, stdout: '' });
    expect(broken.stderr).toMatch(
      /^600 events in 2 pages, .* kB, then there was trouble\norglog: the provider refuses the credential .*\nnext-token: \S+\n$/,
    );
    expect(await readFile(file, 'utf8')).toBe(log.slice(0, 600).join(''));
    const rest = await pull([...args, '--from-token', tokenIn(broken.stderr)]);
    expect(rest.outcome).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(log.join(''));
  });

  test('adds nothing to half a line, and tells where it cannot write', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'torn.ndjson');
    await writeFile(file, '{"torn":');
    const torn = await pull(['--output', file, '--append']);
    expect(torn.outcome).toBe(1);
    expect(torn.stderr).toContain(`${file} ends within a line`);
    expect(await readFile(file, 'utf8')).toBe('{"torn":');
    const nowhere = await pull(['--output', join(folder.path, 'none/log')]);
    expect(nowhere.stderr).toMatch(/none\/log cannot be written \(ENOENT\): its folder is not there/);
  });
});

describe('as a process', () => {
  const args = ['pull', '--org-url', ORG_URL, '--limit', '100'];
  const shell = (limits: string, rest: string) =>
    promisify(execFile)(
      'bash',
      ['-c', `${limits}; exec "$0" cli/orglog.ts ${args.join(' ')} ${rest}`, process.execPath],
      {
        env,
      },
    ).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );

  // A limit on a file's size fails in the middle of a page, as a disk that fills up does.
  test.each([
    ['--output', (file: string) => `--output ${file}`, 'EFBIG'],
    ['the shell', (file: string) => `> ${file}`, 'EFBIG'],
  ])('on a full disk no line of a file of %s is torn, and the token goes on', async (_what, to, code) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'log.ndjson');
    const full = await shell('trap "" XFSZ; ulimit -f 200', to(file));
    expect(full.code).toBe(1);
    expect(full.stderr).toMatch(new RegExp(`cannot be written \\(${code}\\): .*\\nnext-token: \\S+\\n$`));
    const written = await readFile(file, 'utf8');
    expect(written.endsWith('\n')).toBe(true);
    const lines = written.split('\n').length - 1;
    expect(lines % 100).toBe(0);
    expect(lines).toBeGreaterThan(0);
    expect((await stat(file)).size).toBeLessThan(200 * 1024);
    const { stdout } = await pull(['--from-token', tokenIn(full.stderr)]);
    expect(written + stdout).toBe(log.join(''));
  });

  test('says that the disk is full where no file can be cut', async () => {
    const { code, stderr } = await shell('true', '> /dev/full');
    expect(code).toBe(1);
    expect(stderr).toMatch(/standard output cannot be written \(ENOSPC\): the disk is full/);
  });

  test('ends cleanly where nobody reads any more, with the token', async () => {
    await using running = startOrglog(args, env);
    await running.printed(/\n/);
    running.stopReading();
    const { outcome, stderr } = await running.ended;
    expect(outcome).toBe(0);
    expect(stderr).toMatch(
      /nobody reads any more\nnext-token: \S+\n$|the end of the log\nnext-token: \S+\n$/,
    );
  });

  test('ends at Ctrl-C with what is whole, and the token', async () => {
    provider.faults.add({ kind: 'delay', delayMs: 0 }, { times: 2 });
    provider.faults.add({ kind: 'delay', delayMs: 60_000 }, { times: 1 });
    const before = provider.requests.length;
    await using running = startOrglog(args, env);
    await vi.waitFor(() => expect(provider.requests.length).toBe(before + 3), { interval: 5 });
    running.kill('SIGINT');
    const { outcome, stdout, stderr } = await running.ended;
    provider.faults.clear();
    expect(outcome).toBe(130);
    expect(stdout).toBe(log.slice(0, 200).join(''));
    expect(stderr).toMatch(/^200 events in 2 pages, .*: stopped\norglog: interrupted\nnext-token: \S+\n$/);
  });
});

describe('trouble', () => {
  test('lists every fault of the call, and no secret', async () => {
    const { outcome, stdout, stderr } = await orglogHere(
      ['pull', '--limit', '0', '--append', '--from-token', 'a b', '--region', 'eu-west-1', '--bogus'],
      { env: { ORGLOG_USERNAME: 'a:b', ORGLOG_PASSWORD: 'line\nbreak' } },
    );
    expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
    expect(stderr).toMatchSnapshot();
    expect(stderr).not.toMatch(/a:b|line\nbreak|a b/);
  });

  test.each([
    [
      'a token that is too old',
      ['--from-token', 'gone'],
      /refuses the token .*older than the provider remembers/,
    ],
    ['another orgUrl', ['--org-url', 'https://institution.edu'], /may read: "https:\/\/institution\.edu\/"/],
    [
      'a password that is wrong',
      [],
      /refuses the credential of institution\.edu \(401/,
      { ORGLOG_PASSWORD: 'no' },
    ],
  ])('tells of %s', async (_what, args, message, more: Record<string, string> = {}) => {
    const { outcome, stdout, stderr } = await pull(args, { env: more });
    expect({ outcome, stdout }).toEqual({ outcome: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(PASSWORD);
  });
});
