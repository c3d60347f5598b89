import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orglog, startOrglog } from '../orglog.ts';
import { on } from './bed.ts';
import { type LocalBed, localBed } from './local-bed.ts';

describe('status again and again', () => {
  let bed: LocalBed;
  beforeAll(async () => {
    bed = await localBed();
  });
  afterAll(() => bed[Symbol.asyncDispose]());

  /** Stops once it is printed so often. */
  function stopAfter(looks: number, pattern: RegExp) {
    const stop = new AbortController();
    const onPrinted = (piece: string, stream: string) => {
      if (stream === 'stdout' && pattern.test(piece)) looks -= 1;
      if (looks === 0) stop.abort();
    };
    return { stop: stop.signal, onPrinted };
  }

  test('for programs is a document a line; Ctrl-C is its end, and no trouble', async () => {
    const args = ['status', '--watch', '1', '--json'];
    const { outcome, stdout, stderr } = await on(bed)(args, stopAfter(2, /"title"/));
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ title: bed.deployment.title, streams: [{ org: 'institution' }] });
  });

  test('on a terminal is drawn in place', async () => {
    const stopping = stopAfter(1, /institution/);
    const { outcome, stdout } = await on(bed)(['status', '--watch'], { columns: 80, ...stopping });
    expect(outcome).toBe(0);
    expect(stdout.startsWith('\x1b[H\x1b[J\x1b[1mdata folder ')).toBe(true);
  });

  test('through a pipe is one below the other', async () => {
    const { stdout } = await on(bed)(['status', '--watch', '1'], stopAfter(2, /institution/));
    expect(stdout.match(/^data folder /gm)).toHaveLength(2);
    expect(stdout).not.toContain('\x1b');
  });

  test('as a process ends with 0 at Ctrl-C, and where nobody reads any more', async () => {
    const args = ['status', '--watch', '1', ...bed.system];
    await using interrupted = startOrglog(args, bed.env);
    await using unread = startOrglog(args, bed.env);
    await Promise.all([interrupted.printed(/institution/), unread.printed(/institution/)]);
    interrupted.kill('SIGINT');
    unread.stopReading();
    expect(await interrupted.ended).toMatchObject({ outcome: 0, stderr: '' });
    expect(await unread.ended).toMatchObject({ outcome: 0, stderr: '' });
  });
});

describe('as a process', () => {
  test('what changes something refuses where it cannot ask', async () => {
    await using bed = await localBed();
    const { outcome, stdout, stderr } = await orglog(
      ['pause', '--org', 'institution', ...bed.system],
      bed.env,
    );
    expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
    expect(stderr).toContain('--yes: missing');
  });
});
