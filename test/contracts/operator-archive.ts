import { describe, expect, it } from 'vitest';
import type { ListedObject, OperatorArchive } from '../../functions/core/operate/ports.ts';
import { expectAborted, never, uniqueName } from './support.ts';

export interface OperatorArchiveHarness extends AsyncDisposable {
  readonly archive: OperatorArchive;
  /** Epoch ms by the store's clock, which may be another machine's. */
  readonly now: () => number;
}

/** A stored time may be whole seconds, and another machine's. */
const CLOCK_TOLERANCE_MS = 60_000;

async function listed(
  archive: OperatorArchive,
  prefix: string,
  after?: string,
): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  const options = after === undefined ? {} : { after };
  for await (const page of archive.list(prefix, options, never)) objects.push(...page);
  return objects;
}

async function put(archive: OperatorArchive, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const body = [Buffer.from(`${key.length} bytes of it: ${key}`)];
    await archive.put({ key, body, contentType: 'text/plain', metadata: {} }, never);
  }
}

/** What `OperatorArchive` promises beyond `Archive`. Each call of `make` may share one bucket with the others. */
export function operatorArchiveContract(name: string, make: () => Promise<OperatorArchiveHarness>): void {
  describe(`operator's archive contract: ${name}`, () => {
    it('lists nothing where nothing is', async () => {
      await using harness = await make();
      expect(await listed(harness.archive, `logs/org=${uniqueName('institution')}/`)).toStrictEqual([]);
    });

    it('tells each object’s key, size and time', async () => {
      await using harness = await make();
      const { archive, now } = harness;
      const key = `logs/org=${uniqueName('institution')}/dt=2026-01-02/e1-000000000001.ndjson.gz`;
      const before = now();
      await put(archive, [key]);
      const [object, ...more] = await listed(archive, key);
      expect(more).toStrictEqual([]);
      expect(object).toStrictEqual({
        key,
        size: (await archive.head(key, never))?.size,
        storedAt: expect.any(Number),
      });
      expect(object?.storedAt).toBeGreaterThanOrEqual(before - CLOCK_TOLERANCE_MS);
      expect(object?.storedAt).toBeLessThanOrEqual(now() + CLOCK_TOLERANCE_MS);
      expect(Number.isInteger(object?.storedAt)).toBe(true);
    });

    it('lists in the order of code units, whatever the folders, and what follows a key only', async () => {
      await using harness = await make();
      const { archive } = harness;
      const root = uniqueName('order');
      const names = [
        'B/2',
        'a',
        'a-b/1',
        'a-b/1.x',
        'a-c',
        'a.b',
        'b/c/1',
        'b/c-/1',
        'b=/1',
        'b0',
        'c/1/2/3',
      ];
      const keys = names.map((each) => `${root}/${each}`);
      await put(archive, keys.toReversed());
      const inOrder = keys.toSorted();
      expect((await listed(archive, `${root}/`)).map(({ key }) => key)).toStrictEqual(inOrder);
      // With keys that are there, and with some that are not.
      for (const after of [...inOrder, `${root}/a-`, `${root}/b/`, `${root}/b/c`, `${root}/zz`]) {
        expect((await listed(archive, `${root}/`, after)).map(({ key }) => key)).toStrictEqual(
          inOrder.filter((key) => key > after),
        );
      }
    });

    it('takes a prefix as it is, within a name or across folders', async () => {
      await using harness = await make();
      const { archive } = harness;
      const root = `logs/org=${uniqueName('institution')}`;
      const keys = [
        '/dt=2026-01-01/e1-1',
        '/dt=2026-01-02/e1-2',
        '/dt=2026-01-02/e1-3',
        '/dt=2026-02-01/e2-1',
      ];
      await put(archive, [...keys.map((key) => `${root}${key}`), `${root}-2/dt=2026-01-02/e1-1`]);
      const below = async (prefix: string) =>
        (await listed(archive, `${root}${prefix}`)).map(({ key }) => key.slice(root.length));
      expect(await below('/')).toStrictEqual(keys);
      expect(await below('/dt=2026-01')).toStrictEqual(keys.slice(0, 3));
      expect(await below('/dt=2026-01-02/')).toStrictEqual(keys.slice(1, 3));
      expect(await below('/dt=2026-01-02/e1-3')).toStrictEqual(keys.slice(2, 3));
      expect(await below('')).toHaveLength(5);
      expect(await below('/dt=2027')).toStrictEqual([]);
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const { archive } = harness;
      await expectAborted(async (signal) => {
        for await (const page of archive.list('logs/', {}, signal)) expect(page).toBeDefined();
      });
    });
  });
}
