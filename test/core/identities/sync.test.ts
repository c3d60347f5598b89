import { describe, expect, it } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import { Fuse } from '../simulation/fuse.ts';
import { expectSnapshotOfDirectory, expectWhole } from './sync-invariants.ts';
import { DAY, MINUTE, ROW, SyncWorld, type SyncWorldOptions } from './sync-world.ts';

/** Nine identities, three of them with a collection of the one authority. */
function populated(options: SyncWorldOptions = {}): SyncWorld {
  const world = new SyncWorld(options);
  const { directory } = world;
  directory.permitted = ['hr'];
  directory.create(9);
  directory.link('u2', 'hr', 'e2', { dept: ['physics'] });
  directory.link('u3', 'hr', 'e3');
  directory.link('u4', 'hr', 'e4');
  return world;
}

/** With its first walk behind it, and the second due. */
async function walked(options: SyncWorldOptions = {}): Promise<SyncWorld> {
  const world = populated(options);
  await world.run();
  world.now += DAY;
  return world;
}

describe('a sync', () => {
  it('announces all identities at first', async () => {
    const world = populated();
    expect(await world.run()).toMatchObject({
      outcome: 'complete',
      identities: 9,
      walk: 1,
      events: 9,
      byAction: { 'identity.snapshot': 9 },
      owed: { siem: 0, lake: 0 },
      unconfirmed: 0,
    });
    const { identity } = world.feed().find((event) => event.serviceUid === 'u2') ?? {};
    expect(identity?.attributeCollections).toMatchObject([{ uid: 'e2', attributes: { dept: ['physics'] } }]);
    expect(world.feedKeys()[0]).toMatch(
      /^identities\/org=institution\/env=prod\/dt=2026-01-02\/\w{6}-000000000001\.ndjson\.gz$/,
    );
  });

  it('tells the age of a first walk that does not come to its end', async () => {
    const world = populated();
    world.directory.onCall = (call) => {
      if (call.kind === 'page' && call.request.authority === 'hr' && world.directory.calls.length > 6) {
        throw new OrglogError('unavailable', 'the provider answered 500');
      }
    };
    expect(await world.run()).toMatchObject({ outcome: 'failed' });
    world.now += DAY;
    const report = await world.run();
    expect(report).toMatchObject({ outcome: 'failed' });
    expect(report.walk).toBeUndefined();
    expect(report.snapshotAgeSeconds).toBeGreaterThanOrEqual(DAY / 1000);
  });

  it('announces what changed after that, and nothing else', async () => {
    const world = await walked();
    const { directory } = world;
    directory.create();
    directory.modify('u1', { mail: 'new@institution.edu' });
    directory.remove('u5');
    directory.change('u2', 'hr', 'e2', { attributes: { dept: ['law', 'physics'] } });
    directory.change('u4', 'hr', 'e4', { credentialLastUsed: directory.time() });
    directory.unlink('u3', 'hr', 'e3');
    directory.link('u6', 'hr', 'e6');
    directory.modify('u8', {});
    expect(await world.run()).toMatchObject({ outcome: 'complete', identities: 9, walk: 2, events: 7 });
    expect(world.happened(2).sort()).toStrictEqual([
      'collection.linked u6',
      'collection.modified u2',
      'collection.unlinked u3',
      'credential.used u4',
      'identity.created u10',
      'identity.modified u1',
      'identity.removed u5',
    ]);
    const { changes } = world.feed().find((event) => event.action === 'collection.modified') ?? {};
    expect(changes).toStrictEqual([{ field: 'attributes.dept', from: ['physics'], to: ['law', 'physics'] }]);
  });

  it('takes another order of values, and null for a member that was absent, for no change', async () => {
    const world = await walked();
    world.directory.change('u2', 'hr', 'e2', { attributes: { dept: ['law', 'physics'] } });
    await world.run();
    world.directory.change('u2', 'hr', 'e2', { attributes: { dept: ['physics', 'law'] } });
    world.directory.change('u3', 'hr', 'e3', { attributes: null });
    world.directory.modify('u1', { sn: undefined });
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual([]);
  });

  it('announces every snapshot whole where it is asked to, each before its changes', async () => {
    const world = await walked({ settings: { snapshots: 'every' } });
    world.directory.modify('u1', { sn: 'Li' });
    world.directory.remove('u2');
    const { byAction } = await world.run();
    expect(byAction).toStrictEqual({ 'identity.snapshot': 8, 'identity.modified': 1, 'identity.removed': 1 });
    const ofOne = world.happened(2).filter((line) => line.endsWith(' u1'));
    expect(ofOne).toStrictEqual(['identity.snapshot u1', 'identity.modified u1']);
  });

  it('makes one object of many partitions, and a large one of a large partition', async () => {
    const world = populated({ settings: { batchBytes: 1e9 } });
    expect(await world.run()).toMatchObject({ batches: 1, events: 9 });
    expect(world.events.filter((event) => event.kind === 'snapshot').length).toBeGreaterThan(1);
  });

  it('walks an empty directory, and one that has become empty', async () => {
    const world = new SyncWorld();
    expect(await world.run()).toMatchObject({ outcome: 'complete', identities: 0, events: 0, walk: 1 });
    world.directory.create();
    await world.nextWalk();
    world.directory.remove('u1');
    await world.nextWalk();
    expect(world.happened(2)).toStrictEqual(['identity.created u1']);
    expect(world.happened(3)).toStrictEqual(['identity.removed u1']);
  });
});

describe('the row of a sync', () => {
  it('costs one read where nothing is due', async () => {
    const world = populated();
    await world.run();
    const calls: number[] = [];
    const report = await world.run(new Fuse(undefined, (call) => calls.push(call)));
    expect(report).toMatchObject({ outcome: 'not-due', walk: 1, snapshotAgeSeconds: 900, owed: { siem: 0 } });
    expect(calls).toHaveLength(1);
  });

  it("says what a log's does: when it was read, the newest event, whether a walk is under way", async () => {
    const world = populated();
    await stoppedAtPage(world, 2);
    expect(world.row()).toMatchObject({ caughtUp: false, lastReadAt: world.now });
    await world.untilIdle();
    expect(world.row()).toMatchObject({ caughtUp: true, lastReadAt: world.now });
    expect(world.row()?.newestEventAt).toBeLessThanOrEqual(world.now);
  });

  it('announces what is owed though no walk is due', async () => {
    const world = populated();
    world.refusing.add('lake');
    expect(await world.run()).toMatchObject({ outcome: 'complete', owed: { siem: 0, lake: 4 } });
    world.refusing.delete('lake');
    expect(await world.run()).toMatchObject({ outcome: 'not-due', announced: 4, owed: { lake: 0 } });
    expectWhole(world, () => 'owed');
  });

  it('stops the sync of another base URL, unless nothing was read', async () => {
    const world = populated();
    await world.run();
    world.settings = { ...world.settings, baseUrl: 'https://other.example' };
    const report = await world.run();
    expect(report.error).toMatchObject({ code: 'source-changed' });
    expect(report.error?.message).toContain('https://other.example');

    const fresh = populated();
    fresh.directory.onCall = () => {
      throw new OrglogError('unavailable', 'no such host');
    };
    expect((await fresh.run()).outcome).toBe('failed');
    fresh.directory.onCall = () => {};
    fresh.settings = { ...fresh.settings, baseUrl: 'https://corrected.example' };
    expect((await fresh.run()).outcome).toBe('complete');
  });

  it('pauses it, and keeps a second run out', async () => {
    const world = populated();
    await world.run();
    const row = world.row();
    if (row === undefined) throw new Error('no row');
    world.cursors.poke({ ...row, paused: true });
    world.now += DAY;
    expect((await world.run()).outcome).toBe('paused');
    expect(world.row()?.lease).toBeUndefined();
    world.cursors.poke({ ...row, lease: { owner: 'another', expiresAt: world.now + 16 * MINUTE } });
    expect((await world.run()).outcome).toBe('busy');
  });

  it('stops it where the token is no position', async () => {
    const world = populated();
    await world.run();
    const row = world.row();
    if (row) world.cursors.poke({ ...row, token: 't42' });
    expect((await world.run()).error?.message).toContain('"t42" is no position');
    expect(world.cursors.peek(ROW)?.lease).toBeUndefined();
  });

  it('lets a walk begin again when the clock has gone back', async () => {
    const world = populated();
    await world.run();
    world.now -= 3 * DAY;
    expect(await world.run()).toMatchObject({ outcome: 'complete', walk: 2 });
  });
});

describe('time', () => {
  it('gets a walk on though every run reads one page only', async () => {
    const world = populated();
    let runs = 0;
    while (!world.row()?.caughtUp && runs++ < 12) await stoppedAtPage(world, 1);
    expect(world.row()?.caughtUp).toBe(true);
    expectSnapshotOfDirectory(world, () => 'a page a run');
    expectWhole(world, () => 'a page a run');
  });

  it('is an error where a whole run went by without an answer', async () => {
    const world = populated();
    const { report, stopReading } = world.start();
    world.directory.onCall = () => {
      world.now += 4 * MINUTE;
      stopReading.abort();
      throw new OrglogError('time-out', 'too slow');
    };
    expect((await report).error?.message).toContain('gave no page of identities');
  });
});

/** A run whose time is up once it has read so many of the walk's pages. */
async function stoppedAtPage(world: SyncWorld, pages: number): Promise<void> {
  world.now += 15 * MINUTE;
  const { report, stopReading } = world.start();
  const before = world.events.length;
  world.directory.onCall = () => {
    const read = world.events.slice(before).filter((event) => event.kind === 'page').length;
    if (read >= pages) stopReading.abort();
    if (read >= pages) throw new OrglogError('time-out', 'stopped');
  };
  await report;
  world.directory.onCall = () => {};
}
