import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DAY, SyncWorld } from './sync-world.ts';

async function walked(redact: readonly string[] = []): Promise<SyncWorld> {
  const world = new SyncWorld({ settings: { redact } });
  const { directory } = world;
  directory.permitted = ['hr', 'lab'];
  directory.create(5);
  for (const serviceUid of directory.uids) {
    directory.link(serviceUid, 'hr', 'e', { dept: ['physics'], phone: [`+1 555 ${serviceUid}`] });
    directory.link(serviceUid, 'lab', 'l');
  }
  await world.untilIdle();
  world.now += DAY;
  return world;
}

describe('permissions', () => {
  it('that are narrowed unlink nobody, and widened link nobody', async () => {
    const world = await walked();
    world.directory.permitted = ['hr'];
    await world.run();
    world.directory.permitted = ['hr', 'lab', 'library'];
    await world.nextWalk();
    expect([...world.happened(2), ...world.happened(3)]).toStrictEqual([]);
    world.directory.unlink('u2', 'lab', 'l');
    await world.nextWalk();
    expect(world.happened(4)).toStrictEqual(['collection.unlinked u2']);
  });

  it('to write with an authority whose list may not be read leave it out, and unlink nobody', async () => {
    const world = await walked();
    world.directory.unreadable.add('lab');
    expect((await world.run()).outcome).toBe('complete');
    expect(world.happened(2)).toStrictEqual([]);
    const left = world.snapshot(2).flatMap(({ attributeCollections }) => attributeCollections ?? []);
    expect(new Set(left.map((one) => one.attributeCollectionAuthority))).toStrictEqual(new Set(['hr']));
    expect(world.events.filter(({ kind }) => kind === 'authority-left-out')).toMatchObject([
      { authority: 'lab' },
    ]);
  });

  it('to read are needed for every authority that the settings choose', async () => {
    const world = await walked();
    world.settings = { ...world.settings, authorities: ['hr', 'lab'] };
    world.directory.unreadable.add('lab');
    expect(await world.run()).toMatchObject({ outcome: 'failed', error: { code: 'not-authorized' } });
    expect(world.happened(2)).toStrictEqual([]);
  });

  it('do not add to the authorities that the settings choose', async () => {
    const world = await walked();
    world.settings = { ...world.settings, authorities: ['lab'] };
    await world.run();
    expect(world.happened(2)).toStrictEqual([]);
    expect(world.snapshot(2)[0]?.attributeCollections).toMatchObject([{ uid: 'l' }]);
  });

  it('that are narrowed while a walk reads let the next one begin, without what may not be read', async () => {
    const world = await walked();
    world.directory.onCall = (call) => {
      const readsHr = call.kind === 'page' && call.request.authority === 'hr' && call.request.page > 1;
      if (readsHr) world.directory.unreadable.add('lab');
    };
    expect(await world.untilIdle(3)).toMatchObject({ outcome: 'complete', walk: 3 });
    expect([...world.happened(2), ...world.happened(3)]).toStrictEqual([]);
  });

  it('to read hosted credentials that come and go unlink and link none', async () => {
    const world = await walked();
    const { directory } = world;
    for (const serviceUid of directory.uids) {
      directory.link(serviceUid, 'hr', 'hosted');
      const last = directory.of(serviceUid).attributeCollections.at(-1);
      if (last) last.attributeCollectionAuthorityType = 'obid';
    }
    await world.run();
    expect(world.happened(2)).toHaveLength(5);
    directory.hosted = false;
    directory.unlink('u1', 'hr', 'e');
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual(['collection.unlinked u1']);
    await world.nextWalk();
    directory.hosted = true;
    await world.nextWalk();
    expect([...world.happened(4), ...world.happened(5)]).toStrictEqual([]);
    directory.unlink('u2', 'hr', 'hosted');
    await world.nextWalk();
    expect(world.happened(6)).toStrictEqual(['collection.unlinked u2']);
  });

  it('do not add collections that a list shows besides its own', async () => {
    const world = await walked();
    world.settings = { ...world.settings, authorities: ['hr'] };
    await world.run();
    const authorities = world.snapshot(2).flatMap(({ attributeCollections }) => attributeCollections ?? []);
    expect(new Set(authorities.map((one) => one.attributeCollectionAuthority))).toStrictEqual(
      new Set(['hr']),
    );
  });
});

describe('a member that only some lists show', () => {
  it('does not come and go with a collection', async () => {
    const world = await walked();
    world.directory.besides = { tier: 'gold' };
    await world.run();
    expect(world.snapshot(2)[0]).not.toHaveProperty('tier');
    world.directory.unlink('u1', 'hr', 'e');
    world.directory.unlink('u1', 'lab', 'l');
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual(['collection.unlinked u1', 'collection.unlinked u1']);
  });
});

describe('redaction', () => {
  it('leaves no value of a named member or attribute anywhere, and nothing seems to change', async () => {
    const world = await walked(['mail', 'phone']);
    world.directory.unlisted.add('u4');
    await world.run();
    expect(world.happened(2)).toStrictEqual([]);
    world.directory.modify('u1', { mail: 'other@institution.edu' });
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual(['identity.modified u1']);
    const [change] = world.feed().at(-1)?.changes ?? [];
    expect(change).toMatchObject({
      field: 'mail',
      from: expect.stringMatching(/^\w{12}$/),
      to: expect.stringMatching(/^\w{12}$/),
    });
    expect(everything(world)).not.toMatch(/@institution|555/);
    expect(everything(world)).toContain('physics');
  });

  it('that begins or ends modifies nobody, and other changes show', async () => {
    const world = await walked();
    world.settings = { ...world.settings, redact: ['mail', 'dept'] };
    world.directory.modify('u1', { mail: 'other@institution.edu', sn: 'Li' });
    await world.run();
    expect(world.feed().filter((event) => event.walk === 2)).toMatchObject([
      { action: 'identity.modified', serviceUid: 'u1', changes: [{ field: 'sn', to: 'Li' }] },
    ]);
    world.settings = { ...world.settings, redact: [] };
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual([]);
  });

  it('under another secret modifies nobody', async () => {
    const world = await walked(['mail', 'dept']);
    world.pseudonymKey = 'k2';
    world.settings = { ...world.settings, pseudonymKeyId: 'k2' };
    await world.run();
    expect(world.happened(2)).toStrictEqual([]);
  });

  it('that begins while a walk reads makes it begin anew', async () => {
    const world = await walked();
    const { report, stopReading } = world.start();
    world.directory.onCall = (call) => {
      if (call.kind === 'page' && call.request.authority === 'lab') stopReading.abort();
    };
    expect((await report).outcome).toBe('time-up');
    world.directory.onCall = () => {};
    world.settings = { ...world.settings, redact: ['mail'] };
    world.directory.create();
    expect(await world.untilIdle()).toMatchObject({ walk: 3 });
    expect(world.happened(3)).toStrictEqual(['identity.created u6']);
    expect(world.feed().at(-1)?.identity.mail).toMatch(/^\w{12}$/);
  });

  it('under another secret since the walk was read takes nothing from a fetch', async () => {
    const world = await walked(['mail']);
    world.directory.unlisted.add('u3');
    const { report, stopReading } = world.start();
    world.directory.onCall = (call) => {
      if (call.kind === 'fetch') stopReading.abort();
    };
    await report;
    world.directory.onCall = () => {};
    world.pseudonymKey = 'k2';
    world.settings = { ...world.settings, pseudonymKeyId: 'k2' };
    await world.untilIdle();
    await world.nextWalk();
    expect([...world.happened(2), ...world.happened(3)]).toStrictEqual([]);
  });

  it('holds for what is carried over from a walk that had none', async () => {
    const world = await walked();
    world.settings = { ...world.settings, redact: ['mail', 'phone'] };
    world.directory.unlisted.add('u3');
    world.directory.onCall = (call) => {
      if (call.kind === 'fetch') throw new Error('no answer');
    };
    await world.run();
    expect(JSON.stringify(world.snapshot(2))).not.toMatch(/@institution|555/);
    world.directory.onCall = () => {};
    await world.nextWalk();
    expect([...world.happened(2), ...world.happened(3)]).toStrictEqual([]);
  });
});

/** All that was ever put, as text. */
function everything(world: SyncWorld): string {
  return [...world.archive.objects]
    .map(([key, { bytes }]) => (key.endsWith('.gz') ? gunzipSync(bytes) : Buffer.from(bytes)).toString())
    .join('\n');
}
