import { describe, expect, it } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import { DAY, SyncWorld } from './sync-world.ts';

/** Five identities, walked once; the second walk is due. */
async function walked(): Promise<SyncWorld> {
  const world = new SyncWorld({ settings: { authorities: [] } });
  world.directory.create(5);
  await world.untilIdle();
  world.now += DAY;
  return world;
}

/** Somebody stores the credential of another organization: of ours, its provider knows nobody. */
function mistake(world: SyncWorld): void {
  world.directory.orgDomain = 'college.edu';
  for (const serviceUid of world.directory.uids) world.directory.remove(serviceUid);
  world.directory.create(2);
}

const REFUSED = {
  outcome: 'failed',
  events: 0,
  error: { code: 'source-changed', message: expect.stringMatching(/institution\.edu.*college\.edu/) },
};

describe("another organization's credential", () => {
  it('between two walks removes nobody, and tells of nobody there', async () => {
    const world = await walked();
    mistake(world);
    expect(await world.run()).toMatchObject(REFUSED);
    expect(world.happened(2)).toStrictEqual([]);
    expect(await world.run()).toMatchObject(REFUSED);
  });

  it.each(['page', 'fetch'] as const)('in the midst of a walk (%s) does neither', async (kind) => {
    const world = await walked();
    world.directory.unlisted.add('u3');
    const { report, stopReading } = world.start();
    world.directory.onCall = (call) => {
      if (call.kind !== kind || (call.kind === 'page' && call.request.page !== 2)) return;
      stopReading.abort();
      throw new OrglogError('time-out', 'stopped');
    };
    expect((await report).outcome).toBe('time-up');
    world.directory.onCall = () => {};
    mistake(world);
    expect(await world.run()).toMatchObject(REFUSED);
    expect(world.happened(2)).toStrictEqual([]);
  });

  it('is told from a domain in other letters', async () => {
    const world = await walked();
    world.directory.orgDomain = 'Institution.EDU';
    expect(await world.run()).toMatchObject({ outcome: 'complete', events: 0 });
  });
});
