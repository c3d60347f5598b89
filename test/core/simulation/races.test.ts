import { afterAll, describe, expect, it } from 'vitest';
import { Fuse, type Mishap } from './fuse.ts';
import { expectAllAnnounced, expectNothingLost } from './invariants.ts';
import { MINUTE, NOON, World, type WorldOptions } from './world.ts';

/** A stalled run's lease has run out when the second one starts. */
const OVERDUE = 6 * MINUTE;
const STALLS: readonly Mishap[] = ['stalls', 'stalls-after'];

const LOGS: Readonly<Record<string, WorldOptions>> = {
  'one event': { backlog: 1 },
  'many pages': { backlog: 8 },
  'a log that keeps growing': { backlog: 2, produced: { perCall: 2, calls: 4 } },
};

let raced = 0;

afterAll(() => {
  console.log(`races tried: ${raced}`);
});

/**
 * The first run stalls at call `stallAt`; a second takes over when the lease is out; before its call `resumeAt` the
 * first one wakes up (its put lands late) and both go on together. A run that wakes up may announce what the other has
 * announced already: the same message once more.
 */
async function race(
  options: WorldOptions,
  stallAt: number,
  mishap: Mishap,
  resumeAt: number,
): Promise<World> {
  const world = new World({ ...options, gzip: false });
  const late = new Fuse({ at: stallAt, mishap });
  const first = world.start(late).report;
  await Promise.race([late.whenStalled, first]);
  world.now += OVERDUE;
  const second = new Fuse(undefined, (call) => {
    if (call === resumeAt) late.release();
  });
  await world.start(second).report;
  late.release();
  await first;
  for (let calm = 0; calm < 3; calm++) await world.run(new Fuse(), OVERDUE);
  raced++;
  return world;
}

async function callsOf(options: WorldOptions, startAt = NOON): Promise<number> {
  const fuse = new Fuse();
  await new World({ ...options, gzip: false, startAt }).run(fuse);
  return fuse.calls;
}

describe.each(Object.entries(LOGS))('two runs racing with a stalled one, %s', (_, options) => {
  it('never both commit, whenever the stalled one wakes up', async () => {
    const calls = await callsOf(options);
    for (let stallAt = 0; stallAt < calls; stallAt++) {
      for (const mishap of STALLS) {
        for (let resumeAt = 0; resumeAt <= calls + 4; resumeAt++) {
          const world = await race(options, stallAt, mishap, resumeAt);
          expectAllAnnounced(world, () => JSON.stringify({ options, stallAt, mishap, resumeAt }));
        }
      }
    }
  });

  it('never both commit when the day changes between them', async () => {
    const startAt = NOON + 12 * 60 * MINUTE - 1;
    const midnight = { ...options, startAt };
    const calls = await callsOf(midnight);
    for (let stallAt = 0; stallAt < calls; stallAt++) {
      for (let resumeAt = 0; resumeAt <= calls + 4; resumeAt++) {
        const world = await race(midnight, stallAt, 'stalls', resumeAt);
        expectAllAnnounced(world, () => JSON.stringify({ midnight, stallAt, resumeAt }));
      }
    }
  });
});

describe('the lease', () => {
  it('keeps a second run out while the first one works', async () => {
    const world = new World({ backlog: 4 });
    const fuse = new Fuse({ at: 2, mishap: 'stalls' });
    const first = world.start(fuse).report;
    await fuse.whenStalled;
    world.now += MINUTE;
    const second = await world.start().report;
    expect(second.outcome).toBe('busy');
    fuse.release();
    expect((await first).outcome).toBe('caught-up');
    expectNothingLost(world, () => 'busy');
  });

  it('is taken from a clock that ran wild', async () => {
    const world = new World({ backlog: 1 });
    await world.run();
    const row = world.row();
    if (row === undefined) throw new Error('no row');
    world.cursors.poke({
      ...row,
      lease: { owner: 'wild', expiresAt: world.now + 100 * 365 * 24 * 60 * MINUTE },
    });
    world.provider.append(1);
    expect((await world.run()).outcome).toBe('caught-up');
    expectNothingLost(world, () => 'wild');
  });
});
