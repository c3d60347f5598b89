import { afterAll, describe, expect, it } from 'vitest';
import { Fuse, type Mishap, type Plan } from '../simulation/fuse.ts';
import { expectAllSettled, expectFewRepeats } from './delivery-invariants.ts';
import { DeliveryWorld, VISIBILITY_MS } from './delivery-world.ts';
import { POISON } from './virtual-sink.ts';

const MISHAPS: readonly Mishap[] = ['before', 'after', 'lost', 'fails'];

/** A request is three events. Each text is one object, each letter an event; `!` is one that no sink takes. */
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  'one event': ['a'],
  'one request': ['abc'],
  'a request and one event': ['abcd'],
  'many requests': ['abcdefghijk'],
  'poison alone': ['!'],
  'poison first': ['!bcde'],
  'poison in the middle': ['abc', 'a!cd'],
  'poison last': ['abcd!'],
  'poison only': ['!!!!'],
  'three objects': ['ab', 'abcd', 'a'],
};

let simulated = 0;
let points = 0;

afterAll(() => {
  console.log(`delivery: crash points tried: ${points} in ${simulated} simulated histories`);
});

async function worldOf(manner: 'splunk' | 'elastic', objects: readonly string[]): Promise<DeliveryWorld> {
  const world = new DeliveryWorld({ manner });
  for (const events of objects) {
    await world.announce(
      [...events].map((event, at) => JSON.stringify({ event: event === '!' ? POISON : event, at })),
    );
  }
  return world;
}

async function history(manner: 'splunk' | 'elastic', objects: readonly string[], plans: readonly Plan[]) {
  const world = await worldOf(manner, objects);
  for (const plan of plans) {
    await world.invoke(new Fuse(plan));
    world.now += VISIBILITY_MS;
  }
  await world.calm();
  simulated++;
  points += plans.length;
  const story = () => JSON.stringify({ manner, objects, plans });
  await expectAllSettled(world, story);
  expectFewRepeats(world, plans.length, story);
  if (manner === 'elastic' && new Set(world.sink.ids).size !== world.sink.taken.length)
    expect.fail(`${story()}: a document is there twice`);
}

/** How many port calls an invocation makes after the given mishaps. */
async function callsOf(
  manner: 'splunk' | 'elastic',
  objects: readonly string[],
  before: readonly Plan[] = [],
): Promise<number> {
  const world = await worldOf(manner, objects);
  for (const plan of before) {
    await world.invoke(new Fuse(plan));
    world.now += VISIBILITY_MS;
  }
  const fuse = new Fuse();
  await world.invoke(fuse);
  return fuse.calls;
}

function* plansFor(calls: number): Generator<Plan> {
  for (let at = 0; at < calls; at++) for (const mishap of MISHAPS) yield { at, mishap };
}

describe.each(['splunk', 'elastic'] as const)('delivery in the manner of %s', (manner) => {
  describe.each(Object.entries(OBJECTS))('every crash point, %s', (_, objects) => {
    it('in one delivery', async () => {
      await history(manner, objects, []);
      for (const plan of plansFor(await callsOf(manner, objects))) await history(manner, objects, [plan]);
    });

    it('in every pair of deliveries', async () => {
      for (const first of plansFor(await callsOf(manner, objects))) {
        for (const second of plansFor(await callsOf(manner, objects, [first])))
          await history(manner, objects, [first, second]);
      }
    });
  });
});
