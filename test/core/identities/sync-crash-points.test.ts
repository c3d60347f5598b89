import { afterAll, describe, expect, it } from 'vitest';
import { inHashOrder } from '../../../functions/core/identities/partitions.ts';
import type { SyncReport } from '../../../functions/core/identities/ports.ts';
import { Fuse, type Mishap } from '../simulation/fuse.ts';
import { expectSnapshotOfDirectory, expectWhole, same, undated } from './sync-invariants.ts';
import { DAY, MINUTE, SyncWorld } from './sync-world.ts';

type Trouble = Mishap | 'time-up';

/** What happens to a run at one of its port calls. */
interface Plan {
  readonly at: number;
  readonly trouble: Trouble;
}

const TROUBLES: readonly Trouble[] = ['before', 'after', 'lost', 'fails', 'time-up'];

/** With so many calls until time is up every run gets further: the dearest step is a partition whose losses are confirmed. */
const ENOUGH_CALLS = 16;

let simulated = 0;

afterAll(() => {
  console.log(`histories of the identity sync: ${simulated}`);
});

/** What is there, and what changes before the walk in which things go wrong. */
interface Scenario {
  readonly populate: (world: SyncWorld) => void;
  /** Left out: the first walk is the one. */
  readonly change?: (world: SyncWorld) => void;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a first walk': { populate },
  'a walk in which much changed': { populate, change },
  'a walk in which one identity changed, in the last partition': { populate, change: changeLast },
  'a walk in which nothing changed': { populate, change: () => {} },
};

/** Seven identities in two partitions, 2 a page, 2 pages a window, and one authority. */
function populate({ directory }: SyncWorld): void {
  directory.permitted = ['hr'];
  directory.create(7);
  for (const id of [1, 3, 4]) directory.link(`u${id}`, 'hr', `e${id}`, { dept: ['physics'] });
}

function change({ directory }: SyncWorld): void {
  directory.create();
  directory.remove('u2');
  directory.unlink('u3', 'hr', 'e3');
  directory.modify('u6', { mail: null });
  directory.change('u4', 'hr', 'e4', { credentialLastUsed: directory.time() });
  directory.link('u7', 'hr', 'e7');
}

const beginnings = new Map<Scenario, Promise<SyncWorld>>();

async function begun(scenario: Scenario): Promise<SyncWorld> {
  const beginning = beginnings.get(scenario) ?? begin(scenario);
  beginnings.set(scenario, beginning);
  return (await beginning).fork();
}

async function begin({ populate, change }: Scenario): Promise<SyncWorld> {
  const world = new SyncWorld({ settings: { authorities: ['hr'] } });
  populate(world);
  if (change === undefined) return world;
  await world.run();
  change(world);
  world.now += DAY;
  return world;
}

const twins = new Map<Scenario, Promise<SyncWorld>>();

/** The same without mishaps, one walk further. */
function twinOf(scenario: Scenario): Promise<SyncWorld> {
  const known = twins.get(scenario);
  if (known !== undefined) return known;
  const twin = begun(scenario).then(async (world) => {
    await world.untilIdle();
    return world;
  });
  twins.set(scenario, twin);
  return twin;
}

/** What the merge comes to last. */
function changeLast({ directory }: SyncWorld): void {
  const last = inHashOrder(directory.inOrder).at(-1);
  if (last) directory.modify(last.serviceUid, { sn: 'Lovelace' });
}

async function callsOf(scenario: Scenario, before: readonly Plan[] = []): Promise<number> {
  const world = await begun(scenario);
  for (const plan of before) await troubled(world, plan);
  const fuse = new Fuse();
  await world.run(fuse);
  return fuse.calls;
}

/** After calm the feed is what it would have been, line for line. */
async function expectAsIfNothingHappened(
  world: SyncWorld,
  scenario: Scenario,
  deferred: boolean,
  story: () => string,
): Promise<void> {
  simulated++;
  await world.untilIdle();
  const expected = undated((await twinOf(scenario)).feed());
  if (deferred) {
    // What could not be confirmed is kept, and told of in the next walk.
    await world.nextWalk();
    const anyWalk = (lines: readonly string[]) => lines.map((line) => line.replace(/"walk":\d+,/, '')).sort();
    same(anyWalk(undated(world.feed())), anyWalk(expected), 'feed', story);
  } else same(undated(world.feed()), expected, 'feed', story);
  expectWhole(world, story);
  expectSnapshotOfDirectory(world, story);
}

function* plansFor(calls: number, step = 1): Generator<Plan> {
  let index = 0;
  for (let at = 0; at < calls; at++)
    for (const trouble of TROUBLES) if (index++ % step === 0) yield { at, trouble };
}

/** A run with one trouble, or with two: then the first is that its time is up. */
async function troubled(world: SyncWorld, plan: Plan, then?: Plan): Promise<SyncReport> {
  world.now += 15 * MINUTE;
  const { at, trouble } = then ?? plan;
  const timeUp = plan.trouble === 'time-up' ? plan.at : undefined;
  const run = world.start(
    new Fuse(trouble === 'time-up' ? undefined : { at, mishap: trouble }, (call) => {
      if (call === timeUp) run.stopReading.abort();
    }),
  );
  const report = await run.report;
  if (report.outcome === 'complete') expect(world.position().phase).toBe('idle');
  return report;
}

describe.each(Object.entries(SCENARIOS))('every crash point, %s', (_, scenario) => {
  it('in one run', async () => {
    for (const plan of plansFor(await callsOf(scenario))) {
      const world = await begun(scenario);
      const { unconfirmed } = await troubled(world, plan);
      await expectAsIfNothingHappened(world, scenario, unconfirmed > 0, () => JSON.stringify(plan));
    }
  });

  it('in two successive runs', async () => {
    for (const first of plansFor(await callsOf(scenario), 11)) {
      for (const second of plansFor(await callsOf(scenario, [first]), 13)) {
        const world = await begun(scenario);
        const one = await troubled(world, first);
        const two = await troubled(world, second);
        const deferred = one.unconfirmed + two.unconfirmed > 0;
        await expectAsIfNothingHappened(world, scenario, deferred, () => JSON.stringify([first, second]));
      }
    }
  });

  it('in a run whose time was up before', async () => {
    const calls = await callsOf(scenario);
    for (let timeUp = 0; timeUp < calls; timeUp++) {
      for (let at = timeUp; at < Math.min(calls, timeUp + 4); at++) {
        const world = await begun(scenario);
        const story = () => `time up at call ${timeUp}, dead before call ${at}`;
        await troubled(world, { at: timeUp, trouble: 'time-up' }, { at, trouble: 'before' });
        await expectAsIfNothingHappened(world, scenario, false, story);
      }
    }
  });

  it('in a run that is followed by one whose time is soon up', async () => {
    const calls = await callsOf(scenario);
    for (let at = 1; at < calls; at++) {
      for (let timeUp = 4; timeUp < 16; timeUp += 2) {
        const world = await begun(scenario);
        const story = () => `dead before call ${at}, then time up at call ${timeUp}`;
        await troubled(world, { at, trouble: 'before' });
        await troubled(world, { at: timeUp, trouble: 'time-up' });
        await expectAsIfNothingHappened(world, scenario, false, story);
      }
    }
  });

  it('with the time up in every run, after each number of calls', async () => {
    const calls = await callsOf(scenario);
    for (let at = 0; at < calls; at++) {
      const world = await begun(scenario);
      for (let runs = 0; runs < 40; runs++) await troubled(world, { at, trouble: 'time-up' });
      if (at >= ENOUGH_CALLS) expect(world.row()?.caughtUp, `stopped after ${at} calls`).toBe(true);
      await expectAsIfNothingHappened(world, scenario, false, () => `time up after ${at} calls, always`);
    }
  });

  it('with a run that stalls until another has taken over', async () => {
    const calls = await callsOf(scenario);
    for (let at = 1; at < calls; at++) {
      for (const mishap of ['stalls', 'stalls-after'] as const) {
        for (const resumeAt of [6, 12, 1e9]) {
          const world = await begun(scenario);
          const late = new Fuse({ at, mishap });
          const first = world.start(late).report;
          await Promise.race([late.whenStalled, first]);
          const second = new Fuse(undefined, (call) => {
            if (call === resumeAt) late.release();
          });
          await world.run(second);
          late.release();
          await first;
          const story = () => JSON.stringify({ at, mishap, resumeAt });
          await expectAsIfNothingHappened(world, scenario, false, story);
        }
      }
    }
  });
});
