import { describe, expect, it } from 'vitest';
import { SyncWorld } from './sync-world.ts';

describe('a sync', () => {
  it('announces all identities at first, then what changed', async () => {
    const world = new SyncWorld();
    const { directory } = world;
    directory.permitted = ['hr'];
    directory.create(9);
    directory.link('u2', 'hr', 'e2', { dept: ['physics'] });
    directory.link('u3', 'hr', 'e3');
    directory.link('u4', 'hr', 'e4');
    const first = await world.run();
    expect(first).toMatchObject({ outcome: 'complete', identities: 9, walk: 1, events: 9 });
    expect(world.feed().every((event) => event.action === 'identity.snapshot')).toBe(true);
    expect(
      world.feed().find((event) => event.serviceUid === 'u2')?.identity.attributeCollections,
    ).toHaveLength(1);

    world.now += 25 * 60 * 60_000;
    directory.create();
    directory.modify('u1', { mail: 'new@institution.edu' });
    directory.remove('u5');
    directory.change('u2', 'hr', 'e2', { attributes: { dept: ['physics', 'law'] } });
    directory.change('u4', 'hr', 'e4', { credentialLastUsed: directory.time() });
    directory.unlink('u3', 'hr', 'e3');
    directory.link('u6', 'hr', 'e6');
    const second = await world.run();
    expect(second).toMatchObject({ outcome: 'complete', identities: 9, walk: 2, events: 7 });
    expect(world.happened(2).sort()).toStrictEqual([
      'collection.linked u6',
      'collection.modified u2',
      'collection.unlinked u3',
      'credential.used u4',
      'identity.created u10',
      'identity.modified u1',
      'identity.removed u5',
    ]);
    expect(await world.run()).toMatchObject({ outcome: 'not-due', walk: 2, snapshotAgeSeconds: 900 });
  });
});
