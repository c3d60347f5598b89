import { describe, expect, it } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { Archive } from '../../../functions/core/ports.ts';
import { Fuse } from '../simulation/fuse.ts';
import { expectSnapshotOfDirectory, expectWhole } from './sync-invariants.ts';
import { DAY, MINUTE, SyncWorld, type SyncWorldOptions } from './sync-world.ts';

/** Nine identities with a collection of `hr` each, the first walk behind them, the second due. */
async function walked(options: SyncWorldOptions = {}): Promise<SyncWorld> {
  const world = new SyncWorld(options);
  const { directory } = world;
  directory.permitted = ['hr', 'lab'];
  directory.create(9);
  for (const serviceUid of directory.uids) directory.link(serviceUid, 'hr', 'e', { dept: ['physics'] });
  directory.link('u1', 'lab', 'l');
  await world.untilIdle();
  world.now += DAY;
  return world;
}

/** Every fetch of an identity meets this. */
function onFetch(world: SyncWorld, what: () => void): void {
  world.directory.onCall = (call) => {
    if (call.kind === 'fetch') what();
  };
}

describe('what a list lacks', () => {
  it('is removed once a fetch says so, and kept where it is still there', async () => {
    const world = await walked();
    const { directory } = world;
    directory.remove('u5');
    directory.unlisted.add('u6').add('u7');
    directory.modify('u7', { sn: 'Li' });
    await world.run();
    expect(world.happened(2).sort()).toStrictEqual(['identity.modified u7', 'identity.removed u5']);
    expectSnapshotOfDirectory(world, () => 'unlisted');
    const fetched = directory.calls.flatMap((call) => (call.kind === 'fetch' ? [call.serviceUid] : []));
    expect(fetched.sort()).toStrictEqual(['u5', 'u6', 'u7']);
  });

  it('is kept as it was where the provider does not say, and told of later', async () => {
    const world = await walked();
    world.directory.remove('u5');
    world.directory.unlink('u6', 'hr', 'e');
    onFetch(world, () => {
      throw new OrglogError('unavailable', 'the provider answered 503');
    });
    expect(await world.run()).toMatchObject({
      outcome: 'complete',
      events: 0,
      unconfirmed: 2,
      identities: 9,
    });
    expect(world.events).toContainEqual({
      kind: 'unconfirmed',
      count: 2,
      reason: 'the provider answered 503',
    });
    world.directory.onCall = () => {};
    await world.nextWalk();
    expect(world.happened(3).sort()).toStrictEqual(['collection.unlinked u6', 'identity.removed u5']);
  });

  it('is not asked for to no end while the provider gives no answers', async () => {
    const world = await walked({ partitionSize: 64, pageSize: 50 });
    for (const serviceUid of world.directory.uids) world.directory.unlisted.add(serviceUid);
    world.directory.create(30);
    await world.run();
    for (const serviceUid of world.directory.uids) world.directory.unlisted.add(serviceUid);
    let fetches = 0;
    onFetch(world, () => {
      fetches++;
      throw new OrglogError('unavailable', 'the provider answered 503');
    });
    expect(await world.nextWalk()).toMatchObject({ outcome: 'complete', events: 0, unconfirmed: 39 });
    expect(fetches).toBeLessThan(16);
  });

  it('is left to the next run when time is up, and kept where that one could get no further', async () => {
    const world = await walked({ partitionSize: 64 });
    world.directory.remove('u5');
    const first = world.start();
    onFetch(world, () => {
      first.stopReading.abort();
      throw new OrglogError('time-out', 'stopped');
    });
    expect(await first.report).toMatchObject({ outcome: 'time-up', unconfirmed: 0 });
    world.now += 15 * MINUTE;
    const second = world.start();
    onFetch(world, () => {
      world.now += 4 * MINUTE;
      second.stopReading.abort();
      throw new OrglogError('time-out', 'stopped');
    });
    expect(await second.report).toMatchObject({ outcome: 'complete', unconfirmed: 1, events: 0 });
    world.directory.onCall = () => {};
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual(['identity.removed u5']);
  });

  it('is a collection that slipped past a page while the list was read', async () => {
    const world = await walked({ pageSize: 1, windowPages: 1 });
    const { directory } = world;
    directory.unlink('u1', 'hr', 'e');
    await world.run();
    // Linked again while the list is read: what is unread shifts up by one, and one is never seen.
    directory.onCall = (call) => {
      if (call.kind !== 'page' || call.request.authority !== 'hr' || call.request.page !== 4) return;
      directory.onCall = () => {};
      directory.link('u1', 'hr', 'e');
    };
    await world.nextWalk();
    expect(world.happened(3).filter((line) => line.startsWith('collection.unlinked'))).toStrictEqual([]);
    expectWhole(world, () => 'slipped');
  });
});

describe('a snapshot that a dead run had put', () => {
  it('is taken as it is: nobody is asked about it again', async () => {
    const world = await walked({ partitionSize: 64 });
    world.directory.unlisted.add('u5');
    world.wrapArchive = (archive) => dyingAfter('snapshot-', archive);
    expect((await world.run()).outcome).toBe('failed');
    world.wrapArchive = (archive) => archive;
    const asked = world.directory.calls.length;
    expect(await world.untilIdle()).toMatchObject({ outcome: 'complete', events: 0 });
    expect(world.directory.calls.slice(asked)).toStrictEqual([]);
  });
});

describe('a list that is cut short', () => {
  it.each([
    ['not-authorized', 'the provider answered 401'],
    ['unavailable', 'the provider answered 500'],
  ] as const)('by %s concludes nothing, and the walk goes on where it was', async (code, message) => {
    const world = await walked();
    let pages = 0;
    world.directory.onCall = (call) => {
      if (call.kind === 'page' && !call.request.authority && ++pages > 4)
        throw new OrglogError(code, message);
    };
    const report = await world.run();
    expect(report).toMatchObject({ outcome: 'failed', events: 0, error: { code, message } });
    expect(world.position()).toMatchObject({ phase: 'read', walk: 2 });
    world.directory.onCall = () => {};
    const asked = world.directory.calls.length;
    await world.untilIdle();
    expect(world.happened(2)).toStrictEqual([]);
    const again = world.directory.calls
      .slice(asked)
      .filter((call) => call.kind === 'page' && !call.request.authority);
    expect(again).toHaveLength(3);
  });

  it('because deletions left its last pages empty, or refused, is read on from where it ends now', async () => {
    const world = await walked({ pageSize: 1 });
    const { directory } = world;
    directory.onCall = (call) => {
      if (call.kind !== 'page' || call.request.authority) return;
      if (call.request.page === 8) for (const id of ['u1', 'u2', 'u3', 'u4']) directory.remove(id);
      const pages = directory.uids.length;
      if (call.request.page > pages) throw new OrglogError('not-found', 'no such page');
    };
    await world.untilIdle();
    expect(world.happened(2).sort()).toStrictEqual(
      ['u1', 'u2', 'u3', 'u4'].map((id) => `identity.removed ${id}`),
    );
    expectSnapshotOfDirectory(world, () => 'deleted');
  });

  it('at equal createTimes in another order each time loses nobody', async () => {
    const world = new SyncWorld({ pageSize: 2 });
    world.directory.create(9, world.directory.time());
    await world.run();
    let turn = 0;
    world.directory.onCall = () => world.directory.shuffle(++turn);
    await world.nextWalk();
    await world.nextWalk();
    expect([...world.happened(2), ...world.happened(3)]).toStrictEqual([]);
  });
});

describe('the last snapshot', () => {
  it('that is gone makes a gap and a first walk', async () => {
    const world = await walked();
    for (const key of world.archive.objects.keys()) if (key.includes('-000001/')) world.archive.lose(key);
    await world.run();
    expect(world.happened(2)).toHaveLength(9);
    expect(
      world
        .feed()
        .filter((event) => event.walk === 2)
        .every((event) => event.action === 'identity.snapshot'),
    ).toBe(true);
    expect(world.row()?.gaps).toMatchObject([
      { reason: 'object-missing', token: expect.stringContaining('plan.json') },
    ]);
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual([]);
  });

  it('of which one partition is gone makes a gap and a first walk of that one', async () => {
    const world = await walked();
    const key = [...world.archive.objects.keys()].find((name) => name.includes('snapshot-1.')) ?? '';
    const lost = world
      .lines<{ serviceUid: string }>(key)
      .map(({ serviceUid }) => `identity.snapshot ${serviceUid}`);
    world.archive.lose(key);
    await world.run();
    expect(world.happened(2)).toStrictEqual(lost);
    expect(world.row()?.gaps).toMatchObject([{ reason: 'object-missing', token: key }]);
  });

  it('that comes back after a run had died for want of it leaves no object behind', async () => {
    const world = await walked({ partitionSize: 64 });
    const lost = [...world.archive.objects].filter(([key]) => key.includes('-000001/'));
    for (const [key] of lost) world.archive.lose(key);
    world.wrapArchive = (archive) => dyingAfter('identities/', archive);
    expect((await world.run()).outcome).toBe('failed');
    world.wrapArchive = (archive) => archive;
    const { signal } = new AbortController();
    for (const [key, { bytes, contentType, metadata }] of lost) {
      await world.archive.put({ key, body: [bytes], contentType, metadata }, signal);
    }
    expect(await world.untilIdle()).toMatchObject({ outcome: 'complete', adopted: 1 });
    world.directory.create();
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual(['identity.created u10']);
  });

  it("is this walk's own once it is put, whoever put it", async () => {
    const world = await walked({ partitionSize: 64 });
    world.directory.unlisted.add('u5');
    world.directory.modify('u5', { mail: 'for-a-moment@institution.edu' });
    const late = Promise.withResolvers<void>();
    const stalled = Promise.withResolvers<void>();
    world.wrapArchive = (archive) => ({
      ...bound(archive),
      put: async (object, signal) => {
        if (object.key.includes('snapshot-')) {
          stalled.resolve();
          await late.promise;
        }
        return archive.put(object, signal);
      },
    });
    const first = world.start(new Fuse());
    await stalled.promise;
    world.wrapArchive = (archive) => archive;
    world.directory.modify('u5', { mail: 'u5@institution.edu' });
    expect((await world.run()).outcome).toBe('complete');
    late.resolve();
    expect((await first.report).error?.code).toBe('lease-lost');
    expect(world.happened(2)).toStrictEqual([]);
    expectWhole(world, () => 'stalled');
  });

  it.each([
    [1, 64],
    [64, 1],
    [2, 4],
  ])('may be cut otherwise: %i, then %i identities a partition', async (before, now) => {
    const world = await walked({ partitionSize: before });
    world.bounds = { ...world.bounds, partitionSize: now };
    world.directory.remove('u3');
    world.directory.create();
    await world.run();
    expect(world.happened(2).sort()).toStrictEqual(['identity.created u10', 'identity.removed u3']);
    expectSnapshotOfDirectory(world, () => 'cut otherwise');
  });
});

/** Takes the run with it once it has put such an object. */
function dyingAfter(name: string, archive: Archive): Archive {
  let dead = false;
  return {
    ...bound(archive),
    put: async (object, signal) => {
      if (dead) throw new OrglogError('storage', 'dead');
      const stored = await archive.put(object, signal);
      dead = object.key.includes(name);
      if (dead) throw new OrglogError('storage', 'dead');
      return stored;
    },
  };
}

/** A port's methods, to be spread. */
function bound(archive: Archive): Archive {
  const { bucket, region } = archive;
  return {
    bucket,
    region,
    put: archive.put.bind(archive),
    head: archive.head.bind(archive),
    get: archive.get.bind(archive),
  };
}
