import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { OrglogError } from '../../../functions/core/errors.ts';
import { confirm } from '../../../functions/core/identities/confirm.ts';
import { DAY, SyncWorld, type SyncWorldOptions } from './sync-world.ts';

/** Nine identities with a collection of `hr`, the first walk behind them, the second due. */
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

describe('a fetch that answers with another identity', () => {
  it('says nothing of the one that was asked for, and adds none', async () => {
    const world = await walked();
    const { directory } = world;
    directory.unlisted.add('u5');
    const fetch = directory.fetch.bind(directory);
    // As where two records were made one, and the old identifier leads to the new one.
    directory.fetch = (serviceUid, signal) => fetch(serviceUid === 'u5' ? 'u6' : serviceUid, signal);
    expect(await world.run()).toMatchObject({ outcome: 'complete', unconfirmed: 1, identities: 9 });
    expect(world.happened(2)).toStrictEqual([]);
  });
});

describe('why something could not be confirmed', () => {
  it('is told without saying of whom', async () => {
    const source = {
      fetch: async (serviceUid: string) => {
        throw new OrglogError('unavailable', `could not fetch the identity “${serviceUid}” (4 tries): 503`);
      },
    };
    const { trouble } = await confirm(['ada@institution.edu'], source, new AbortController().signal);
    expect(trouble).toBe('could not fetch the identity “…” (4 tries): 503');
  });
});

describe('a page that is past the end', () => {
  it.each(['not-found', 'invalid-request', 'configuration', 'unavailable'] as const)(
    'and answered with %s is read on from where the list ends now',
    async (code) => {
      const world = await walked({ pageSize: 1 });
      const { directory } = world;
      directory.onCall = (call) => {
        if (call.kind !== 'page' || call.request.authority) return;
        if (call.request.page === 8) for (const id of ['u1', 'u2', 'u3']) directory.remove(id);
        if (call.request.page > directory.uids.length) throw new OrglogError(code, 'no such page');
      };
      await world.untilIdle();
      expect(world.happened(2).sort()).toStrictEqual(
        ['u1', 'u2', 'u3'].map((id) => `identity.removed ${id}`),
      );
    },
  );
});

describe('a page other than the one that was asked for', () => {
  it('is none: a snapshot of one page over and over would lack the others', async () => {
    const world = new SyncWorld({ pageSize: 2 });
    world.directory.create(9);
    const page = world.directory.page.bind(world.directory);
    world.directory.page = (request, signal) => page({ ...request, page: 1 }, signal);
    expect(await world.run()).toMatchObject({
      outcome: 'failed',
      error: { code: 'unavailable', message: expect.stringMatching(/page 5.*page 1/) },
    });
    expect(world.feed()).toStrictEqual([]);
  });
});

describe('a snapshot that cannot be read back', () => {
  it('is told without a word of what is in it', async () => {
    const world = await walked({ partitionSize: 64 });
    const [key, object] = [...world.archive.objects].find(([name]) => name.includes('snapshot-0')) ?? [];
    if (key === undefined || object === undefined) expect.fail('no snapshot');
    world.archive.lose(key);
    const body = [gzipSync('{"serviceUid":"u1","mail":ada@institution.edu}\n')];
    await world.archive.put({ ...object, key, body }, new AbortController().signal);
    const { error } = await world.run();
    expect(error?.code).toBe('storage');
    expect(error?.message).toContain(key);
    expect(`${error?.message} ${String(error?.cause)}`).not.toMatch(/ada|mail/);
  });
});
