import { describe, expect, it } from 'vitest';
import { DAY, SyncWorld } from './sync-world.ts';

/** Eight identities with a telephone number each, walked once without redaction; the second walk is due. */
async function walked(): Promise<SyncWorld> {
  const world = new SyncWorld();
  const { directory } = world;
  directory.permitted = ['hr'];
  directory.create(8);
  for (const serviceUid of directory.uids) directory.link(serviceUid, 'hr', 'e', { phone: ['+1 555'] });
  await world.untilIdle();
  world.now += DAY;
  return world;
}

function redactFromNow(world: SyncWorld): void {
  world.settings = { ...world.settings, redact: ['mail', 'phone'] };
}

/** What was announced once so many objects had been, as text. */
function announcedSince(world: SyncWorld, objects: number): string {
  return JSON.stringify(
    world
      .feedKeys()
      .slice(objects)
      .flatMap((key) => world.lines(key)),
  );
}

describe('redaction that begins', () => {
  it('between two walks holds for what the later one tells of the earlier one’s records', async () => {
    const world = await walked();
    const objects = world.feedKeys().length;
    redactFromNow(world);
    world.directory.remove('u1');
    world.directory.unlink('u2', 'hr', 'e');
    world.directory.modify('u3', { mail: 'other@institution.edu' });
    await world.untilIdle();
    expect(world.happened(2).sort()).toStrictEqual(['collection.unlinked u2', 'identity.removed u1']);
    expect(announcedSince(world, objects)).not.toMatch(/@institution|555/);
  });

  it('between the reading of a walk and its telling holds for what is told from then on', async () => {
    const world = await walked();
    const { directory } = world;
    const uids = [...directory.uids];
    for (const serviceUid of uids) {
      directory.modify(serviceUid, { mail: `new-${serviceUid}@institution.edu` });
      directory.change(serviceUid, 'hr', 'e', { attributes: { phone: ['+1 555 1'] } });
    }
    let stopReading: AbortController | undefined;
    world.wrapArchive = (archive) => ({
      ...{ bucket: archive.bucket, region: archive.region },
      get: archive.get.bind(archive),
      head: archive.head.bind(archive),
      put: (object, signal) => {
        if (object.key.includes('/snapshot-')) stopReading?.abort();
        return archive.put(object, signal);
      },
    });
    const first = world.start();
    stopReading = first.stopReading;
    expect((await first.report).outcome).toBe('time-up');
    const objects = world.feedKeys().length;
    redactFromNow(world);
    await world.untilIdle();
    expect(announcedSince(world, 0)).toMatch(/new-u\d@institution/);
    expect(announcedSince(world, objects)).toMatch(/identity.modified.*collection.modified/);
    expect(announcedSince(world, objects)).not.toMatch(/@institution|555/);
    expect(world.happened(2)).toHaveLength(16);
    await world.nextWalk();
    expect(world.happened(3)).toStrictEqual([]);
  });
});
