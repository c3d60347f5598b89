import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Identity } from '../../../functions/core/identities/identity.ts';
import { comparable, replay } from './replay.ts';
import { expectSnapshotOfDirectory, expectWhole, same } from './sync-invariants.ts';
import { MINUTE, SyncWorld } from './sync-world.ts';
import type { VirtualDirectory } from './virtual-directory.ts';

const AUTHORITIES = ['hr', 'lab'];

/** One change of the directory; numbers pick among what is there. */
type Change = readonly [
  'create' | 'twin' | 'modify' | 'remove' | 'link' | 'unlink' | 'attributes' | 'use',
  number,
  number,
];

const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('create', 'twin', 'modify', 'remove', 'link', 'link', 'unlink', 'attributes', 'use'),
  fc.nat(40),
  fc.nat(5),
);

/** What happens before a walk, and before each of its calls to the provider; and when its runs are stopped. */
const walk = fc.record({
  before: fc.array(change, { maxLength: 6 }),
  during: fc.array(fc.tuple(fc.nat(30), change), { maxLength: 5 }),
  stops: fc.array(fc.nat(25), { maxLength: 3 }),
  partitionSize: fc.constantFrom(1, 2, 4, 64),
});

const history = fc.record({
  population: fc.nat(12),
  pageSize: fc.integer({ min: 1, max: 4 }),
  windowPages: fc.integer({ min: 1, max: 4 }),
  walks: fc.array(walk, { minLength: 2, maxLength: 4 }),
});

describe('whatever changes between walks and while they read', () => {
  it('the feed replayed over the first snapshot gives the last, which is the directory once it rests', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ population, pageSize, windowPages, walks }) => {
        const world = new SyncWorld({ pageSize, windowPages });
        world.directory.permitted = AUTHORITIES;
        world.directory.create(population);
        for (const { before, during, stops, partitionSize } of walks) {
          world.bounds = { windowPages, partitionSize };
          for (const one of before) apply(one, world.directory);
          await walkWith(world, during, stops);
        }
        await world.nextWalk();
        const story = () => 'after calm';
        expectWhole(world, story);
        expectSnapshotOfDirectory(world, story);
        const last = world.position().last?.walk ?? 0;
        for (let first = 1; first <= last; first++) expectReplay(world, first, last);
      }),
      { seed: 20260102, numRuns: 250 },
    );
  });
});

async function walkWith(
  world: SyncWorld,
  during: readonly (readonly [number, Change])[],
  stops: readonly number[],
): Promise<void> {
  let calls = 0;
  world.directory.onCall = () => {
    for (const [at, one] of during) if (at === calls) apply(one, world.directory);
    calls++;
  };
  world.now += 24 * 60 * MINUTE;
  for (const stop of stops) {
    let left = stop;
    const { report, stopReading } = world.start();
    const step = world.directory.onCall;
    world.directory.onCall = (call) => {
      if (left-- === 0) stopReading.abort();
      step(call);
    };
    await report;
    world.directory.onCall = step;
    world.now += 15 * MINUTE;
  }
  await world.untilIdle();
  world.directory.onCall = () => {};
}

function apply([what, pick, other]: Change, directory: VirtualDirectory): void {
  const { uids } = directory;
  const serviceUid = uids[pick % Math.max(1, uids.length)];
  if (what === 'create') directory.create();
  // Equal to the last one's createTime: such a pair has no order but the provider's.
  else if (what === 'twin') directory.create(1, directory.inOrder.at(-1)?.createTime);
  else if (serviceUid === undefined) return;
  else if (what === 'modify')
    directory.modify(serviceUid, { mail: `m${other}@institution.edu`, sn: other < 2 ? null : 'Li' });
  else if (what === 'remove') directory.remove(serviceUid);
  else {
    const authority = AUTHORITIES[other % 2] ?? '';
    const uid = `e${other >> 1}`;
    const held = directory
      .of(serviceUid)
      .attributeCollections.some((one) => one.attributeCollectionAuthority === authority && one.uid === uid);
    if (!held) directory.link(serviceUid, authority, uid, { dept: ['physics'] });
    else if (what === 'unlink') directory.unlink(serviceUid, authority, uid);
    else if (what === 'attributes')
      directory.change(serviceUid, authority, uid, { attributes: { dept: [`d${pick}`], room: [] } });
    else if (what === 'use')
      directory.change(serviceUid, authority, uid, { credentialLastUsed: directory.time(pick) });
  }
}

function expectReplay(world: SyncWorld, first: number, last: number): void {
  const events = world.feed().filter((event) => event.walk > first && event.walk <= last);
  same(
    replay(world.snapshot(first), events).map(inScope),
    world.snapshot(last).map(inScope),
    `replayed from walk ${first} to ${last}`,
    () => JSON.stringify(events),
  );
}

function inScope(identity: Identity): string {
  return comparable(identity, AUTHORITIES);
}
