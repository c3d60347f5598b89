import { afterAll, describe, expect, it } from 'vitest';
import { Fuse, type Mishap, type Plan } from './fuse.ts';
import { expectNoOrphan, expectNothingLost } from './invariants.ts';
import { MINUTE, NOON, World, type WorldOptions } from './world.ts';

const MISHAPS: readonly Mishap[] = ['before', 'after', 'lost', 'fails'];
const LAST_MOMENT = NOON + 12 * 60 * MINUTE - 1;

/** A page is 3 events; every page is a batch of its own, unless said otherwise. */
const LOGS: Readonly<Record<string, WorldOptions>> = {
  'no event': { backlog: 0 },
  'one event': { backlog: 1 },
  'a page': { backlog: 3 },
  'a page and one': { backlog: 4 },
  'many pages': { backlog: 11 },
  'many pages in one batch': { backlog: 11, settings: { batchBytes: 1e9 } },
  'a log that keeps growing': { backlog: 2, produced: { perCall: 2, calls: 6 } },
};

let simulated = 0;
let points = 0;

afterAll(() => {
  console.log(`crash points tried: ${points} in ${simulated} simulated histories`);
});

/** Two runs with their mishaps, then calm; `midnight` is the call before which the day changes. */
async function history(options: WorldOptions, plans: readonly Plan[], midnight?: number): Promise<World> {
  const world = new World({ ...options, gzip: false, startAt: midnight === undefined ? NOON : LAST_MOMENT });
  let calls = 0;
  const onCall = () => {
    if (calls++ === midnight) world.now += 1;
  };
  for (const plan of plans) await world.run(new Fuse(plan, onCall));
  for (let calm = 0; calm < 3; calm++) await world.run(new Fuse(undefined, onCall));
  simulated++;
  points += plans.length;
  const story = () => JSON.stringify({ options, plans, midnight });
  expectNothingLost(world, story);
  expectNoOrphan(world, story);
  if (world.row()?.lease) expect.fail(`${story()}: the lease was not released`);
  return world;
}

/** How many port calls a run makes after the given mishaps. */
async function callsOf(options: WorldOptions, before: readonly Plan[] = []): Promise<number> {
  const world = new World({ ...options, gzip: false });
  for (const plan of before) await world.run(new Fuse(plan));
  const fuse = new Fuse();
  await world.run(fuse);
  return fuse.calls;
}

function* plansFor(calls: number): Generator<Plan> {
  for (let at = 0; at < calls; at++) for (const mishap of MISHAPS) yield { at, mishap };
}

describe.each(Object.entries(LOGS))('every crash point, %s', (_, options) => {
  it('in one run', async () => {
    for (const plan of plansFor(await callsOf(options))) await history(options, [plan]);
  });

  it('in every pair of successive runs', async () => {
    for (const first of plansFor(await callsOf(options))) {
      for (const second of plansFor(await callsOf(options, [first]))) await history(options, [first, second]);
    }
  });

  it('with midnight falling at every point', async () => {
    const calls = await callsOf(options);
    for (const plan of plansFor(calls)) {
      for (let midnight = 0; midnight <= 2 * calls; midnight++) await history(options, [plan], midnight);
    }
  });

  it('with one of two destinations refusing for a while', async () => {
    for (const plan of plansFor(await callsOf(options))) {
      const world = new World({ ...options, gzip: false });
      world.refusing.add('lake');
      await world.run(new Fuse(plan));
      await world.run();
      expect(world.announced('siem').length).toBeGreaterThanOrEqual(world.committedKeys().length);
      world.refusing.delete('lake');
      for (let calm = 0; calm < 2; calm++) await world.run();
      simulated++;
      points++;
      expectNothingLost(world, () => JSON.stringify({ options, plan, refusing: 'lake' }));
    }
  });
});
