import { expect, it } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import { DAY, SyncWorld } from './sync-world.ts';

/** A first walk that was read, and stopped before it was told. */
async function readOnly(): Promise<SyncWorld> {
  const world = new SyncWorld();
  world.directory.create(9);
  world.wrapArchive = (archive) => ({
    ...{ bucket: archive.bucket, region: archive.region },
    get: archive.get.bind(archive),
    head: archive.head.bind(archive),
    put: async (object, signal) => {
      if (object.key.includes('/snapshot-')) throw new OrglogError('storage', 'no room');
      return archive.put(object, signal);
    },
  });
  await world.run();
  expect(world.position().phase).toBe('merge');
  world.wrapArchive = (archive) => archive;
  return world;
}

/** The archive lets objects go in any order: here the plan goes last. */
function expire(world: SyncWorld): void {
  for (const key of world.archive.objects.keys()) if (key.includes('/part-1-')) world.archive.lose(key);
}

it('a walk that was left alone until its objects may expire begins anew', async () => {
  const world = await readOnly();
  world.now += 30 * DAY;
  expire(world);
  expect(await world.untilIdle()).toMatchObject({ outcome: 'complete', walk: 2, identities: 9 });
  expect(new Set(world.feed().map(({ serviceUid }) => serviceUid)).size).toBe(9);
});

it('a walk that was left alone for three weeks goes on', async () => {
  const world = await readOnly();
  world.now += 21 * DAY;
  const asked = world.directory.calls.length;
  await world.run();
  expect(world.directory.calls.slice(asked)).toStrictEqual([]);
  expect(world.happened(1)).toHaveLength(9);
});
