import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { never } from '../../contracts/support.ts';
import { keyOf, on, refuse, rowOf, widest } from './bed.ts';
import { type LocalBed, localBed, NOW, steady } from './local-bed.ts';

/** Before a line of progress, and behind it. */
const ERASE = '\r\x1b[K';
const HOUR = 3_600_000;
const ORG = ['--org', 'institution'];
const terminal = { columns: 80, env: { NO_COLOR: '1' } };

/** What a person sees, on a terminal of 80 columns and through a pipe; nothing here changes anything by its commands. */
describe('on a screen', () => {
  let bed: LocalBed;
  beforeAll(async () => {
    bed = await localBed();
  });
  afterAll(() => bed[Symbol.asyncDispose]());

  async function shown(args: readonly string[], input = 'n\n') {
    const { outcome, stdout, stderr } = await on(bed)(args, { ...terminal, input });
    const seen = [`exit ${outcome}`, steady(stdout, bed), steady(stderr, bed)].join('\n---\n');
    // What is redrawn in place is no line.
    const still = seen
      .split(ERASE)
      .filter((_piece, at) => at % 2 === 0)
      .join('');
    expect(widest(still)).toBeLessThanOrEqual(80);
    return still;
  }

  async function piped(args: readonly string[]) {
    const { outcome, stdout, stderr } = await on(bed)(args);
    return [`exit ${outcome}`, steady(stdout, bed), steady(stderr, bed)].join('\n---\n');
  }

  test('status of a system that is well', async () => {
    expect(await shown(['status'])).toMatchSnapshot();
    expect(await piped(['status'])).toMatchSnapshot('piped');
  });

  test('has colours where nobody minds them', async () => {
    const { stdout } = await on(bed)(['status'], { columns: 80 });
    expect(stdout).toContain('\x1b[32m✓\x1b[39m');
    expect(stdout.startsWith('\x1b[1mdata folder ')).toBe(true);
    const plain = await on(bed)(['status'], terminal);
    expect(plain.stdout).not.toContain('\x1b');
  });

  test('status of a system in trouble, with what to do', async () => {
    bed.goTo(NOW + 3 * HOUR);
    const unknown = JSON.stringify({ detail: [{ loc: ['query', 'nextToken'], msg: 'unknown', type: 't' }] });
    bed.provider.faults.add(
      { kind: 'status', status: 422, body: unknown },
      { on: ({ query }) => query.nextToken !== undefined },
    );
    await bed.collect(40);
    expect((await rowOf(bed)).gaps).toHaveLength(1);
    const { cursors } = bed.deployment;
    await refuse(bed, 1, 7, 'the field user is too long');
    await refuse(bed, 2, 9, 'the field user is too long');
    await refuse(bed, 2, 11, 'no such index');
    await bed.settle();
    await on(bed)(['replay', ...ORG, '--batches', '1-2', '--destination', 'siem', '--yes']);
    await bed.bury('siem');
    await on(bed)(['replay', ...ORG, '--batches', '3', '--destination', bed.pushed, '--yes']);
    const { org, stream, epoch, source } = await rowOf(bed);
    const now = Date.now();
    const lease = { owner: 'run-1', now, expiresAt: now + 60_000, latestPossibleExpiry: now + HOUR };
    await cursors.acquire({ org, stream, ...lease, create: { epoch, source, day: '2026-01-02' } }, never);
    bed.goTo(NOW + 4 * HOUR);
    expect(await shown(['status'])).toMatchSnapshot();
    expect(await piped(['status'])).toMatchSnapshot('piped');
    await cursors.write({ org, stream, owner: 'run-1', set: {}, release: true }, never);
  });

  test('verify, with a hole', async () => {
    const args = ['verify', ...ORG, '--from', '2026-01-02', '--to', '2026-01-02'];
    expect(await shown(args)).toMatchSnapshot();
    expect(await piped(args)).toMatchSnapshot('piped');
  });

  test('the question of replay', async () => {
    const args = ['replay', ...ORG, '--from', '1d', '--to', 'now', '--destination', bed.pushed];
    expect(await shown(args)).toMatchSnapshot();
    expect(await piped(args)).toMatchSnapshot('piped');
  });

  test.each([
    ['a gap', ['--to', 'gap:1']],
    ['a batch, to repeat', ['--to', '2', '--repeat']],
    ['a time', ['--to', '2026-01-02T06:00Z']],
    ['a time that no token is kept of', ['--to', '2026-01-02T02:30Z']],
  ])('the question of rewind to %s', async (_what, args) => {
    expect(await shown(['rewind', ...ORG, ...args])).toMatchSnapshot();
  });

  test('the question of redrive', async () => {
    expect(await shown(['redrive'])).toMatchSnapshot();
    await bed.lose(await keyOf(bed, 2));
    expect(await shown(['redrive'])).toMatchSnapshot('a lost object');
    expect(await piped(['redrive', '--dry-run'])).toMatchSnapshot('piped');
  });

  test('rejected list, and the question of retry', async () => {
    expect(await shown(['rejected', 'list'])).toMatchSnapshot();
    expect(await piped(['rejected', 'list'])).toMatchSnapshot('piped');
    expect(await shown(['rejected', 'retry'])).toMatchSnapshot('retry');
  });

  test('the questions of pause and resume', async () => {
    expect(await shown(['pause', ...ORG])).toMatchSnapshot();
    await on(bed)(['pause', ...ORG, '--yes']);
    expect(await shown(['resume', ...ORG])).toMatchSnapshot('resume');
    expect(await shown(['resume', ...ORG], 'y\n')).toMatchSnapshot('yes');
  });
});
