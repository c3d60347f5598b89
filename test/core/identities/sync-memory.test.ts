import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Archive } from '../../../functions/core/ports.ts';
import { DAY, SyncWorld } from './sync-world.ts';

const PAGE = 5;
const WINDOW_PAGES = 3;

it('holds two windows while it reads, and one partition with what it is compared with while it merges', async () => {
  const world = new SyncWorld({ pageSize: PAGE, windowPages: WINDOW_PAGES, partitionSize: 20 });
  world.directory.create(160);
  await world.untilIdle();
  world.now += DAY;

  let held = 0;
  let mostHeld = 0;
  const read: string[][] = [[]];
  world.events.length = 0;
  const answered = () =>
    world.events.reduce((sum, event) => sum + (event.kind === 'page' ? event.items : 0), 0);
  let put = 0;
  world.directory.onCall = () => {
    held = answered() - put;
    mostHeld = Math.max(mostHeld, held);
  };
  world.wrapArchive = (archive): Archive => ({
    bucket: archive.bucket,
    region: archive.region,
    head: archive.head.bind(archive),
    get: (key, signal) => {
      read.at(-1)?.push(key);
      return archive.get(key, signal);
    },
    put: async (object, signal) => {
      // Slow enough that reading could run ahead as far as it is let.
      for (let turn = 0; turn < 40; turn++) await setImmediate();
      const stored = await archive.put(object, signal);
      if (object.key.includes('/part-')) put += linesIn(object.body);
      if (object.key.includes('/snapshot-')) read.push([]);
      return stored;
    },
  });
  expect(await world.run()).toMatchObject({ outcome: 'complete', identities: 160 });

  expect(put).toBe(160);
  expect(mostHeld).toBeGreaterThan(PAGE * WINDOW_PAGES);
  expect(mostHeld).toBeLessThanOrEqual(2 * PAGE * WINDOW_PAGES);
  const partitions = read
    .map((keys) => new Set(keys.flatMap((key) => /(?:part|snapshot)-(\d+)/.exec(key)?.slice(1) ?? [])))
    .filter((ofOne) => ofOne.size > 0);
  expect(partitions).toStrictEqual(Array.from({ length: 8 }, (_, i) => new Set([String(i)])));
});

describe('records that are large', () => {
  const LARGE = 10_000;

  async function walked(settings: { authorities?: string[] } = {}): Promise<SyncWorld> {
    const world = new SyncWorld({ pageSize: 4, windowPages: 1000, partitionSize: 1000, settings });
    world.bounds = { ...world.bounds, windowCharacters: 6 * LARGE, partitionCharacters: 8 * LARGE };
    world.directory.permitted = ['hr'];
    world.directory.create(40);
    for (const serviceUid of world.directory.uids) {
      world.directory.link(serviceUid, 'hr', 'e', { photo: ['x'.repeat(LARGE)] });
    }
    await world.untilIdle();
    return world;
  }

  it('end a window before its pages do', async () => {
    const world = await walked();
    const flushes = new Set(
      [...world.archive.objects.keys()].flatMap((key) => /part-\d+-(\d+)/.exec(key)?.slice(1) ?? []),
    );
    // Ten pages of small records go with the first of ten pages of large ones, two of which are a window.
    expect(flushes.size).toBe(5);
  });

  it.each([[{}], [{ authorities: ['hr'] }]])(
    'make more partitions, by what the first pages weigh (%o)',
    async (settings) => {
      const world = await walked(settings);
      const partitions = [...world.archive.objects].filter(([key]) => key.includes('/snapshot-'));
      expect(partitions.length).toBe(8);
      expect(Math.max(...partitions.map(([key]) => world.lines(key).length))).toBeLessThan(12);
    },
  );

  it('make them also where the provider says that there are none', async () => {
    const world = new SyncWorld({ pageSize: 4, partitionSize: 4 });
    const page = world.directory.page.bind(world.directory);
    world.directory.page = async (...args) => ({ ...(await page(...args)), totalItems: 0 });
    world.directory.create(40);
    await world.untilIdle();
    const partitions = [...world.archive.objects.keys()].filter((key) => key.includes('/snapshot-'));
    expect(partitions.length).toBe(16);
  });
});

function linesIn(body: readonly Uint8Array[]): number {
  return gunzipSync(Buffer.concat(body)).toString().split('\n').length - 1;
}
