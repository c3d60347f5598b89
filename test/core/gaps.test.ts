import { describe, expect, it } from 'vitest';
import { Fuse } from './simulation/fuse.ts';
import { page, status } from './simulation/virtual-provider.ts';
import { MINUTE, NOON, World } from './simulation/world.ts';

const HOUR = 60 * MINUTE;
const stale = (world: World) => world.row()?.gaps.at(-1);

async function caughtUp(backlog = 3, settings = {}): Promise<World> {
  const world = new World({ backlog, settings });
  await world.run();
  return world;
}

describe('no token yet', () => {
  it('is no gap when the last read was 50 minutes ago', async () => {
    const world = new World();
    await world.run();
    expect(await world.run(undefined, 50 * MINUTE)).toMatchObject({ gaps: 0 });
  });

  it('is a gap when the last read was longer ago: from then (less the lateness of events) to one hour ago', async () => {
    const world = new World();
    await world.run();
    expect(await world.run(undefined, 3 * HOUR)).toMatchObject({
      gaps: 1,
      gapSeconds: (2 * HOUR + 10 * MINUTE) / 1000,
    });
    expect(world.row()?.gaps).toStrictEqual([
      { from: NOON - 10 * MINUTE, to: NOON + 2 * HOUR, reason: 'no-token' },
    ]);
    expect(world.events).toContainEqual({
      kind: 'gap',
      gap: { from: NOON - 10 * MINUTE, to: NOON + 2 * HOUR, reason: 'no-token' },
    });
    expect(await world.run()).toMatchObject({ gaps: 0 });
  });

  it('is recorded once, by the first run that gets an answer', async () => {
    const world = new World();
    await world.run();
    world.provider.script = () => status(500);
    await world.run(undefined, 3 * HOUR);
    expect(world.row()?.gaps).toStrictEqual([]);
    world.provider.script = () => undefined;
    expect(await world.run()).toMatchObject({ gaps: 1 });
    expect(await world.run()).toMatchObject({ gaps: 0 });
  });

  it('is a gap when nothing that is committed within the hour comes back', async () => {
    const world = new World({ backlog: 2 });
    world.provider.withoutTokens = true;
    await world.run();
    const other = `{"timeStampISO":"${new Date(NOON + MINUTE).toISOString()}"}`;
    world.provider.script = () => page([other], null);
    expect(await world.run()).toMatchObject({ gaps: 1, gapSeconds: 60, events: 1 });
    expect(stale(world)).toStrictEqual({ from: NOON, to: NOON + MINUTE, reason: 'no-overlap' });
  });

  it('is no gap when the newest committed event has just left the window by the provider’s clock', async () => {
    const world = new World({ backlog: 2 });
    world.provider.withoutTokens = true;
    await world.run();
    for (let i = 0; i < 11; i++) await world.run();
    world.provider.script = () => page([`{"timeStampISO":"${new Date(world.now).toISOString()}"}`], null);
    expect(await world.run(undefined, 5 * MINUTE - 2000)).toMatchObject({ gaps: 0, events: 1 });
  });

  it('is no gap when the committed events are older than the window, and the log was read since', async () => {
    const world = new World({ backlog: 2 });
    world.provider.withoutTokens = true;
    for (let i = 0; i < 15; i++) await world.run();
    world.provider.append(1);
    expect(await world.run()).toMatchObject({ gaps: 0, events: 1 });
  });
});

describe('a token that the provider names as unknown', () => {
  it('is a gap, recorded with the token; the run goes on without one', async () => {
    const world = await caughtUp();
    world.provider.forget('t3');
    world.now += 3 * HOUR;
    world.provider.append(2);
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 2, gaps: 1 });
    expect(stale(world)).toStrictEqual({
      from: NOON,
      to: NOON + 2 * HOUR + 5 * MINUTE,
      reason: 'stale-token',
      token: 't3',
    });
    expect(world.row()).toMatchObject({ token: 't5', sequence: 2 });
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', gaps: 0 });
  });

  it('is a gap from the commit on where an event claimed to be from the future', async () => {
    const world = new World();
    world.provider.appendLine('{"timeStampISO":"8999-01-01T00:00:00Z"}');
    world.provider.append(2);
    await world.run();
    expect(world.row()?.newestEventAt).toBe(NOON);
    world.provider.forget('t3');
    world.now += 3 * HOUR;
    world.provider.append(1);
    expect(await world.run()).toMatchObject({ gaps: 1, gapSeconds: (2 * HOUR + 5 * MINUTE) / 1000 });
  });

  it('is a gap from the last read on where no event’s time could be read', async () => {
    const world = new World({ settings: { maxAttempts: 1 } });
    world.provider.appendLine('{"timeStampISO":"yesterday"}');
    world.provider.script = ({ token }) => (token === undefined ? undefined : status(500));
    await world.run();
    const { newestEventAt, ...row } = world.row() ?? {};
    expect({ newestEventAt, row }).toMatchObject({
      newestEventAt: undefined,
      row: { token: 't1', caughtUp: false },
    });
    world.provider.script = () => undefined;
    world.provider.forget('t1');
    expect(await world.run(undefined, 3 * HOUR)).toMatchObject({
      gaps: 1,
      gapSeconds: (2 * HOUR + 10 * MINUTE) / 1000,
    });
  });

  it('is a gap of no length where the window overlaps what is committed', async () => {
    const world = await caughtUp();
    world.provider.forget('t3');
    world.provider.append(1);
    expect(await world.run()).toMatchObject({ events: 1, repeats: 3, gaps: 1, gapSeconds: 0 });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
    expect(stale(world)).toMatchObject({ reason: 'stale-token', token: 't3' });
  });

  it('is a gap before the first event too: the token was all that was known of the log', async () => {
    const world = new World();
    world.provider.script = () => page([], 'first');
    await world.run();
    expect(world.row()).toMatchObject({ token: 'first', sequence: 0 });
    world.provider.script = () => undefined;
    expect(await world.run(undefined, 3 * HOUR)).toMatchObject({ gaps: 1 });
    expect(world.row()?.gaps).toStrictEqual([
      { from: NOON - 10 * MINUTE, to: NOON + 2 * HOUR, reason: 'stale-token', token: 'first' },
    ]);
  });

  it('is recorded even when the window holds nothing, and once for each token', async () => {
    const world = await caughtUp();
    world.provider.forget('t3');
    world.provider.script = ({ token }) => (token === undefined ? page([], null) : undefined);
    await world.run(undefined, 2 * HOUR);
    await world.run(undefined, 2 * HOUR);
    expect(world.row()?.gaps).toHaveLength(1);
    expect(stale(world)).toMatchObject({ from: NOON, to: NOON + 3 * HOUR, token: 't3' });
  });

  it('is not recorded before a call without it was answered', async () => {
    const world = await caughtUp();
    world.provider.forget('t3');
    const { report, stopReading } = world.start();
    world.provider.script = ({ token }) => {
      if (token !== undefined) return undefined;
      stopReading.abort();
      return status(503);
    };
    expect(await report).toMatchObject({ gaps: 0 });
    expect(world.row()?.gaps).toStrictEqual([]);
  });

  it('costs nothing that came before it in the same run', async () => {
    const world = await caughtUp();
    world.provider.append(4);
    let refused = 0;
    world.provider.script = ({ token }) =>
      token === 't6' && refused++ === 0 ? status(422, { namesToken: true }) : undefined;
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', gaps: 1, gapSeconds: 0 });
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('stops the run when onStaleToken is halt, and loses nothing', async () => {
    const world = await caughtUp(3, { onStaleToken: 'halt' });
    world.provider.forget('t3');
    const { outcome, error } = await world.run();
    expect({ outcome, code: error?.code }).toStrictEqual({ outcome: 'failed', code: 'stale-token' });
    expect(world.row()).toMatchObject({ token: 't3', gaps: [] });
  });

  it('is not followed by a second fresh start in one run', async () => {
    const world = await caughtUp();
    world.provider.append(6);
    world.provider.script = ({ token }) =>
      token === undefined ? undefined : status(422, { namesToken: true, detail: 'nextToken' });
    const { error } = await world.run();
    expect(error?.code).toBe('stale-token');
    expect(world.row()?.gaps).toHaveLength(1);
  });

  it('is a plain fault when it is the one to start from', async () => {
    const world = new World({ backlog: 3, settings: { fromToken: 'unknown' } });
    const { error } = await world.run();
    expect(error?.code).toBe('invalid-request');
    expect(world.row()).toMatchObject({ sequence: 0, gaps: [] });
  });

  it('leaves its gap in the object too, so that a run that adopts it records it', async () => {
    const world = await caughtUp();
    world.provider.forget('t3');
    world.now += 3 * HOUR;
    world.provider.append(2);
    await world.run(new Fuse({ at: 5, mishap: 'before' }));
    expect(world.row()?.sequence).toBe(1);
    expect(world.archive.objects.size).toBe(2);
    expect(await world.run()).toMatchObject({ adopted: 1, gaps: 1 });
    expect(stale(world)).toMatchObject({ reason: 'stale-token', token: 't3', from: NOON });
    expect(world.row()?.gaps).toHaveLength(1);
  });
});

describe.each([400, 404, 410])('a token answered with %i', (code) => {
  it('counts as forgotten only if a call without it is answered, and the next run is refused again', async () => {
    const world = await caughtUp();
    world.provider.append(1);
    world.provider.forget('t3', status(code));
    const first = await world.run();
    expect(first.error?.code).toBe('token-refused');
    expect(world.row()).toMatchObject({ token: 't3', refusedToken: 't3', gaps: [] });
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 1, repeats: 3, gaps: 1 });
    expect(world.row()?.refusedToken).toBeUndefined();
    expect(world.committedLines()).toStrictEqual(world.provider.lines);
  });

  it('is a gateway’s bad minute when the next run is answered', async () => {
    const world = await caughtUp();
    world.provider.append(1);
    world.provider.script = ({ token }) => (token === 't3' ? status(code) : undefined);
    await world.run();
    world.provider.script = () => undefined;
    expect(await world.run()).toMatchObject({ outcome: 'caught-up', events: 1, gaps: 0 });
    expect(world.row()?.refusedToken).toBeUndefined();
  });

  it('proves nothing when the call without it is refused as well', async () => {
    const world = await caughtUp();
    world.provider.script = () => status(code);
    for (let i = 0; i < 3; i++) expect((await world.run()).error?.code).toBe('unavailable');
    expect(world.row()).toMatchObject({ token: 't3', gaps: [] });
    expect(world.row()?.refusedToken).toBeUndefined();
  });
});
