import { afterAll, describe, expect, test } from 'vitest';
import { AUTHORITIES, identityBed, steady, widest } from './bed.ts';

const bed = await identityBed({ count: 5 });
afterAll(() => bed[Symbol.asyncDispose]());

const { personnel, remote } = AUTHORITIES;
const terminal = { columns: 80, env: { NO_COLOR: '1' } };
const calls = () => bed.provider.requests.map(({ method, path }) => `${method} ${path}`);

const identity = await bed.create('ada@institution.edu');
const uid = identity.serviceUid;
await bed.run([
  ...['collection', 'create', uid, '--authority', personnel, '--uid', '4711', '--yes'],
  ...['--attribute', 'department=History', '--attribute', 'department=Art'],
]);
await bed.run(['credential', 'create', uid, '--authority', remote, '--uid', 'ada', '--yes']);

/** Each way of changing something. */
const CHANGES: readonly (readonly [what: string, args: readonly string[]])[] = [
  [
    'create',
    [
      ...['create', '--mail', 'grace@institution.edu', '--given-name', 'Grace', '--sn', 'Hopper'],
      ...['--hosted', '--allow-duplicate-email', '--customer-uid-gen', `institution:${personnel}`],
      ...['--collection', `authority=${personnel},uid=4712,department=History,department=Art`],
      ...['--credential', `authority=${remote},uid=grace`, '--environment', 'test'],
    ],
  ],
  ['modify', ['modify', uid, '--sn', 'King', '--mail', 'ada@institution.edu', '--allow-duplicate-email']],
  [
    'collection create',
    ['collection', 'create', uid, '--authority', personnel, '--uid', '4713', '--attribute', 'a=1'],
  ],
  [
    'collection modify',
    ['collection', 'modify', uid, '--authority', personnel, '--uid', '4711', '--attribute', 'a=1'],
  ],
  [
    'collection modify --overwrite',
    ['collection', 'modify', uid, '--authority', personnel, '--uid', '4711', '--overwrite'],
  ],
  ['collection delete', ['collection', 'delete', uid, '--authority', personnel, '--uid', '4711']],
  ['credential create', ['credential', 'create', uid, '--authority', remote, '--uid', 'ada2']],
  ['credential delete', ['credential', 'delete', uid, '--authority', remote, '--uid', 'ada']],
  ['hosted create', ['hosted', 'create', uid, '--email', 'ada@institution.edu', '--surname', 'Lovelace']],
];

describe.each(CHANGES)('%s', (_what, args) => {
  test('shows what it will do, asks, and does nothing after a no', async () => {
    const before = [bed.all(), bed.all('test')];
    const { outcome, stdout, stderr } = await bed.run(args, { ...terminal, input: 'n\n' });
    expect({ outcome, stdout }).toEqual({ outcome: 1, stdout: '' });
    expect(widest(stderr)).toBeLessThanOrEqual(80);
    expect(steady(stderr, bed)).toMatchSnapshot();
    expect([bed.all(), bed.all('test')]).toEqual(before);
  });

  test('refuses without a terminal and without --yes, and sends nothing', async () => {
    const sent = calls().length;
    const { outcome, stdout, stderr } = await bed.run(args);
    expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
    expect(stderr).toMatch(/^This .* at http:\/\/127\.0\.0\.1:\d+:\n/);
    expect(stderr).toContain(
      '--yes: missing; expected where there is no terminal to ask on. Nothing was changed',
    );
    expect(calls()).toHaveLength(sent);
  });
});

describe('the question', () => {
  const modify = (sn: string) => ['modify', uid, '--sn', sn];

  test.each(['y\n', 'Y\n', ' yes \n', 'YES\n'])('%j is a yes', async (input) => {
    const sn = `Yes ${JSON.stringify(input)}`;
    const { outcome, stderr } = await bed.run(modify(sn), { ...terminal, input });
    expect(outcome).toBe(0);
    expect(stderr.endsWith('modified\n')).toBe(true);
    expect(bed.get(uid).sn).toBe(sn);
  });

  test.each(['\n', 'n\n', 'yeah\n', ''])('%j is a no', async (input) => {
    const { outcome, stderr } = await bed.run(modify('No'), { ...terminal, input });
    expect(outcome).toBe(1);
    expect(stderr.endsWith('\norglog: answered with no: nothing was changed\n')).toBe(true);
    expect(bed.get(uid).sn).not.toBe('No');
  });

  test('ends with 130 at Ctrl-C', async () => {
    const stop = new AbortController();
    const { outcome, stderr } = await bed.run(modify('No'), {
      ...terminal,
      input: new Promise<string>(() => {}),
      stop: stop.signal,
      onPrinted: (piece) => {
        if (piece.includes('[y/N]')) stop.abort();
      },
    });
    expect(outcome).toBe(130);
    expect(stderr.endsWith('\norglog: interrupted: nothing was changed\n')).toBe(true);
    expect(bed.get(uid).sn).not.toBe('No');
  });

  test('is not asked about an identity that is not there', async () => {
    const { outcome, stderr } = await bed.run(['modify', 'nobody', '--sn', 'X'], {
      ...terminal,
      input: 'y\n',
    });
    expect(outcome).toBe(3);
    expect(stderr).not.toContain('[y/N]');
  });

  test('is asked even where the credential may not read, without what is there now', async () => {
    const { outcome, stderr } = await bed.run(modify('X'), {
      ...terminal,
      input: 'n\n',
      env: { ...terminal.env, ORGLOG_PASSWORD: 'wrong' },
    });
    expect(outcome).toBe(1);
    expect(stderr).toContain('  sn          X\nGo on? [y/N]');
  });
});
