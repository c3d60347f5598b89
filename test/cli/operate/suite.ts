import { expect, test } from 'vitest';
import { never } from '../../contracts/support.ts';
import { keyOf, type OperateBed, on, refuse, rowOf, takeAll, taken } from './bed.ts';

const ORG = ['--org', 'institution'];

/** What every command does, happy and failing, on whichever backend; each test goes on where the one before ended. */
export function operateSuite(get: () => OperateBed): void {
  const run = (...[args, surroundings]: Parameters<ReturnType<typeof on>>) => on(get())(args, surroundings);
  const json = async (args: readonly string[]) => {
    const { outcome, stdout, stderr } = await run([...args, '--json']);
    expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const standing = (destination = get().pushed) => get().deployment.queue(destination).standing(never);

  test('status tells how everything stands, and leaves it so', async () => {
    const before = await rowOf(get());
    const { title, streams, destinations } = await json(['status']);
    expect(title).toBe(get().deployment.title);
    expect(streams).toMatchObject([
      {
        ...{ org: 'institution', stream: 'logs', health: { verdict: 'ok' } },
        row: { sequence: 3, paused: false, gaps: [], lastHour: { count: 120, atLeast: false } },
      },
    ]);
    expect(destinations).toHaveLength(get().deployment.destinations.length);
    const { outcome, stdout } = await run(['status', ...ORG]);
    expect(outcome).toBe(0);
    expect(stdout).toContain(get().deployment.title);
    expect(await rowOf(get())).toEqual(before);
  });

  test.each([
    [
      'an organization',
      ['status', '--org', 'elsewhere'],
      /has no organization elsewhere: it has institution/,
    ],
    ['an organization to pause', ['pause', '--org', 'elsewhere', '--yes'], /has no organization elsewhere/],
    ['a destination', ['redrive', '--destination', 'nobody'], /has no destination nobody: it has /],
  ])('%s that is not there ends with 3, and names those that are', async (_what, args, message) => {
    const { outcome, stdout, stderr } = await run(args);
    expect({ outcome, stdout }).toEqual({ outcome: 3, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('verify proves the archive whole, also against the provider', async () => {
    const args = ['verify', ...ORG, '--from', '45m', '--to', 'now', '--against-provider'];
    const { archive, provider, findings } = await json(args);
    expect(archive).toMatchObject({ verdict: 'whole', objects: 3, events: 120 });
    expect(provider).toMatchObject({ verdict: 'whole', archived: provider.served });
    expect(provider.served).toBeGreaterThan(0);
    expect(findings).toEqual([]);
    const { outcome, stdout } = await run(args);
    expect(outcome).toBe(0);
    expect(stdout).toMatch(/^✓ logs of institution is provably whole: batches 1 to 3/);
  });

  test('replay asks to be told who gets it where there are several', async () => {
    const { outcome, stderr } = await run(['replay', ...ORG, '--from', '1d', '--to', 'now']);
    expect(outcome).toBe(2);
    expect(stderr).toMatch(/--destination: missing; expected one or more of .*only those get the events/);
  });

  test('replay shows first how much it is, and announces nothing without a yes', async () => {
    await takeAll(get(), get().pushed);
    const args = ['replay', ...ORG, '--from', '1d', '--to', 'now', '--destination', get().pushed];
    const plan = await json([...args, '--dry-run']);
    expect(plan).toMatchObject({ sequences: [1, 2, 3], events: 120, announced: 0, missing: [] });
    const refused = await run(args);
    expect(refused).toMatchObject({ outcome: 2, stdout: '' });
    expect(refused.stderr).toMatch(/objects {2}3: batches 1-3\n {2}events {3}120\n {2}bytes {4}.*compressed/);
    expect(refused.stderr).toContain('--yes: missing');
    const answered = await run(args, { columns: 80, input: 'n\n' });
    expect(answered.outcome).toBe(1);
    expect(await standing()).toMatchObject({ visible: 0, inFlight: 0 });
  });

  test('replay announces to the destination named only, as often as it is asked to', async () => {
    const { deployment, pushed } = get();
    const key = await keyOf(get(), 2);
    await taken(get(), key, 40);
    const others = deployment.destinations.filter(({ id }) => id !== pushed);
    const before = await Promise.all(others.map(({ id }) => standing(id)));
    for (let time = 0; time < 2; time++) {
      const args = ['replay', ...ORG, '--batches', '2-3', '--destination', pushed, '--yes'];
      expect(await json(args)).toMatchObject({ announced: 2, missing: [] });
    }
    expect(await Promise.all(others.map(({ id }) => standing(id)))).toEqual(before);
    expect(await deployment.ledger.read({ destination: pushed, key }, never)).toBeUndefined();
    const [second, third] = [key, await keyOf(get(), 3)];
    expect(await takeAll(get(), pushed)).toEqual([second, second, third, third]);
  });

  test('replay that is interrupted says what does the rest', async () => {
    const stop = new AbortController();
    const args = ['replay', ...ORG, '--batches', '1-3', '--destination', get().pushed, '--yes'];
    const { outcome, stderr } = await run(args, {
      columns: 80,
      env: { NO_COLOR: '1' },
      stop: stop.signal,
      onPrinted: (piece) => piece.includes('announced 1 of') && stop.abort(),
    });
    expect(outcome).toBe(130);
    const [, rest = ''] = /The rest: `(orglog [^`]+)`/.exec(stderr.replace(/\s+/g, ' ')) ?? [];
    const [, next] = /--batches (\d)-3/.exec(rest) ?? [];
    expect(rest).toBe(
      [
        'orglog',
        'replay',
        ...ORG,
        '--batches',
        `${next}-3`,
        '--destination',
        get().pushed,
        ...get().system,
      ].join(' '),
    );
    expect(await takeAll(get(), get().pushed)).toHaveLength(Number(next) - 1);
  });

  test('a look that is interrupted says so, and speaks of no run', async () => {
    const stop = new AbortController();
    const { outcome, stderr } = await run(['verify', ...ORG, '--from', '1d', '--to', 'now'], {
      stop: stop.signal,
      onPrinted: () => stop.abort(),
    });
    expect(outcome).toBe(130);
    expect(stderr).toMatch(/^orglog: interrupted: nothing was changed$/m);
  });

  test('redrive shows what gave up and why, and sends it back after a yes', async () => {
    const { pushed } = get();
    const destination = ['--destination', pushed];
    const nothing = await run(['redrive', ...destination]);
    expect(nothing).toMatchObject({ outcome: 0, stdout: '' });
    expect(nothing.stderr).toContain('no dead letters');
    await json(['replay', ...ORG, '--batches', '1-2', ...destination, '--yes']);
    await get().bury(pushed);
    const seen = await json(['redrive', '--dry-run']);
    expect(seen).toMatchObject({ destinations: [{ id: pushed, dead: 2, moved: 0 }] });
    const refused = await run(['redrive', ...destination]);
    expect(refused.outcome).toBe(2);
    expect(refused.stderr).toMatch(/This sends 2 messages back to its queue/);
    expect(refused.stderr).toMatch(/why \(2 of 2\): nothing of it was delivered/);
    expect(await standing()).toMatchObject({ visible: 0, dead: 2 });
    const moved = await json(['redrive', ...destination, '--yes']);
    expect(moved).toMatchObject({ destinations: [{ id: pushed, moved: 2 }] });
    expect(await standing()).toMatchObject({ visible: 2, dead: 0 });
    expect(await json(['redrive', '--yes'])).toEqual({ destinations: [] });
    await takeAll(get(), pushed);
  });

  test('rejected lists what was refused without showing the events, and asks for them again', async () => {
    const { pushed } = get();
    expect((await run(['rejected', 'list'])).stderr).toContain('no refused events');
    const key = await refuse(get(), 1, 7, 'the field user is too long');
    await refuse(get(), 2, 9, 'the field user is too long');
    const listed = await run(['rejected', 'list', '--destination', pushed]);
    expect(listed.outcome).toBe(0);
    expect(listed.stdout.match(/the field user is too long/g)).toHaveLength(2);
    expect(listed.stderr).toContain('2 refused events');
    const records = await run(['rejected', 'list', '--json']);
    expect(listed.stdout + records.stdout).not.toContain('secret of a person');
    const [first] = records.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ destination: pushed, key, line: 7, sent: false });
    const whole = await run(['rejected', 'list', '--json', '--with-events', '--event', first.eventId]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ event: '{"message":"a secret of a person"}' });
    const refused = await run(['rejected', 'retry']);
    expect(refused.outcome).toBe(2);
    expect(refused.stderr).toMatch(/This sends 2 refused events again .*\n.*2 × the field user is too long/);
    expect(await standing()).toMatchObject({ visible: 0 });
    const args = ['rejected', 'retry', '--event', first.eventId, '--yes'];
    expect(await json(args)).toEqual({ asked: 1, damaged: 0 });
    expect(await takeAll(get(), pushed)).toEqual([key]);
    // The delivery notes that the sink took it.
    await taken(get(), key, 1);
    expect(await json(args)).toEqual({ asked: 0, damaged: 0 });
    expect((await run(['rejected', 'list'])).stderr).toContain('1 refused event');
    expect((await run(['rejected', 'list', '--all'])).stdout).toContain(
      '(taken since) the field user is too long',
    );
  });

  test('pause stops and resume goes on; both may be repeated', async () => {
    const refused = await run(['pause', ...ORG]);
    expect(refused.outcome).toBe(2);
    expect((await rowOf(get())).paused).toBe(false);
    expect(await json(['pause', ...ORG, '--yes'])).toMatchObject({ paused: true, changed: ['logs'] });
    expect((await rowOf(get())).paused).toBe(true);
    const again = await run(['pause', ...ORG]);
    expect(again.outcome).toBe(0);
    expect(again.stderr).toContain('institution is paused already');
    const shown = await run(['status']);
    expect(shown.stdout).toContain(`  orglog resume --org institution ${get().system.join(' ')}`.trimEnd());
    expect(await json(['resume', ...ORG, '--yes'])).toMatchObject({ paused: false, changed: ['logs'] });
    expect((await rowOf(get())).paused).toBe(false);
    expect((await run(['resume', ...ORG])).stderr).toContain('institution is not paused');
  });

  test('rewind refuses what the archive has no token of, and what the provider no longer takes', async () => {
    const before = await rowOf(get());
    const early = await run(['rewind', ...ORG, '--to', '80d', '--yes']);
    expect(early.outcome).toBe(1);
    expect(early.stderr).toMatch(/keeps no token from before/);
    const outside = await run(['rewind', ...ORG, '--to', '91d', '--yes']);
    expect(outside.stderr).toMatch(/outside the 90 days/);
    const unknown = JSON.stringify({ detail: [{ loc: ['query', 'nextToken'], msg: 'unknown', type: 't' }] });
    get().provider.faults.add({ kind: 'status', status: 422, body: unknown });
    const stale = await run(['rewind', ...ORG, '--to', '2', '--yes']);
    expect(stale.outcome).toBe(1);
    expect(stale.stderr).toMatch(/the provider does not take the token to go back to/);
    expect(await rowOf(get())).toEqual(before);
  });

  test('rewind sets the cursor back after a yes, and what is archived is not archived again', async () => {
    const before = await rowOf(get());
    const plan = await json(['rewind', ...ORG, '--to', '2', '--dry-run']);
    expect(plan).toMatchObject({ to: { sequence: 2 }, mode: 'fill', events: 80, batches: 2 });
    const refused = await run(['rewind', ...ORG, '--to', '2']);
    expect(refused.outcome).toBe(2);
    expect(refused.stderr).toMatch(/where batch 2 began\n {2}read again {2}about 80 events in 2 batches/);
    expect((await rowOf(get())).token).toBe(before.token);
    const { outcome, stderr } = await run(['rewind', ...ORG, '--to', '2', '--yes']);
    expect(outcome).toBe(0);
    expect(stderr).toContain('set back: the next run reads on from there');
    expect((await rowOf(get())).token).not.toBe(before.token);
    await get().collect(10);
    const { streams } = await json(['status']);
    expect(streams).toMatchObject([{ row: { sequence: 4, caughtUp: true, lastHour: { count: 130 } } }]);
  });

  test('rewind keeps away from a run that is at work', async () => {
    const { cursors } = get().deployment;
    const { org, stream, epoch, source } = await rowOf(get());
    const now = Date.now();
    const lease = { owner: 'a run', now, expiresAt: now + 60_000, latestPossibleExpiry: now + 3_600_000 };
    await cursors.acquire({ org, stream, ...lease, create: { epoch, source, day: '2026-01-02' } }, never);
    const { outcome, stderr } = await run(['rewind', ...ORG, '--to', '2', '--yes']);
    expect(outcome).toBe(1);
    expect(stderr).toMatch(/a run of institution is at work \(a run, until /);
    expect((await run(['status'])).stdout).toContain(
      'institution: a run is at work (a run, for 60 s at most)',
    );
    await cursors.write({ org, stream, owner: 'a run', set: {}, release: true }, never);
  });

  test('verify names what is lost, and ends with 1', async () => {
    const key = await keyOf(get(), 2);
    await get().lose(key);
    const args = ['verify', ...ORG, '--from', '1d', '--to', 'now'];
    const { outcome, stdout, stderr } = await run(args);
    expect(outcome).toBe(1);
    expect(stdout).toContain(`batch 2 was committed`);
    expect(stdout).toContain(key);
    expect(stdout).toMatch(/^✗ logs of institution is not provably whole: 1 holes?, .*gone: batch 2$/m);
    expect(stderr).toMatch(/orglog: 1 hole, /);
    const document = await run([...args, '--json']);
    expect(document.outcome).toBe(1);
    expect(JSON.parse(document.stdout)).toMatchObject({ archive: { verdict: 'holes', holes: 1 } });
    const plan = await json([
      'replay',
      ...ORG,
      '--batches',
      '1-3',
      '--destination',
      get().pushed,
      '--dry-run',
    ]);
    expect(plan).toMatchObject({ sequences: [1, 3], missing: [2] });
  });
}
