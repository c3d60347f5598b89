import { describe, expect, it } from 'vitest';
import type { Archive, ObjectToPut } from '../../functions/core/ports.ts';
import { contentOf, expectAborted, never, patternedBytes, uniqueName } from './support.ts';

export interface ArchiveHarness extends AsyncDisposable {
  readonly archive: Archive;
}

const mebibyte = 1024 * 1024;

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function newObject(changes: Partial<ObjectToPut> = {}): ObjectToPut {
  return {
    key: `contract/org=${uniqueName('institution')}/dt=2026-01-02/e1-000000000001.ndjson.gz`,
    body: [bytesOf('first '), bytesOf('bytes')],
    contentType: 'application/x-ndjson',
    metadata: { count: '2', start: 'token-1' },
    ...changes,
  };
}

/** What every implementation of `Archive` promises. Each call of `make` may share one bucket with the others. */
export function archiveContract(name: string, make: () => Promise<ArchiveHarness>): void {
  describe(`archive contract: ${name}`, () => {
    it('says which bucket it is, and where', async () => {
      await using harness = await make();
      expect(harness.archive.bucket).toMatch(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/);
      expect(harness.archive.region).toMatch(/^[a-z0-9-]+$/);
    });

    it('has nothing under a key that was never put', async () => {
      await using harness = await make();
      const { key } = newObject();
      expect(await harness.archive.head(key, never)).toBeUndefined();
      expect(await harness.archive.get(key, never)).toBeUndefined();
    });

    it('stores bytes and metadata, and reports the same entity tag ever after', async () => {
      await using harness = await make();
      const object = newObject();
      const stored = await harness.archive.put(object, never);
      expect(stored).toStrictEqual({ etag: expect.stringMatching(/^[^"\s]+$/), size: 11 });
      const head = await harness.archive.head(object.key, never);
      expect(head).toStrictEqual({ ...(stored as object), metadata: object.metadata });
      expect((await contentOf(harness.archive, object.key))?.toString()).toBe('first bytes');
    });

    it('never touches what is there', async () => {
      await using harness = await make();
      const object = newObject();
      await harness.archive.put(object, never);
      const head = await harness.archive.head(object.key, never);
      const second = { ...object, body: [bytesOf('other')], metadata: { count: '3', other: 'x' } };
      expect(await harness.archive.put(second, never)).toBe('exists');
      expect(await harness.archive.put(object, never)).toBe('exists');
      expect(await harness.archive.head(object.key, never)).toStrictEqual(head);
      expect((await contentOf(harness.archive, object.key))?.toString()).toBe('first bytes');
    });

    it('stores exactly one of many at once, with its own metadata', async () => {
      await using harness = await make();
      const { key } = newObject();
      const objects = Array.from({ length: 8 }, (_, i) =>
        newObject({ key, body: [patternedBytes(20_000 + i, i + 1)], metadata: { writer: `${i}` } }),
      );
      const answers = await Promise.all(objects.map((object) => harness.archive.put(object, never)));
      const stored = answers.flatMap((answer, i) =>
        answer === 'exists' ? [] : [{ answer, object: objects[i] }],
      );
      expect(stored).toHaveLength(1);
      const [winner] = stored;
      expect(await harness.archive.head(key, never)).toStrictEqual({
        ...winner?.answer,
        metadata: winner?.object?.metadata,
      });
      const expected = Buffer.from(winner?.object?.body[0] ?? []);
      expect((await contentOf(harness.archive, key))?.equals(expected)).toBe(true);
    });

    it.each([
      ['of nothing', []],
      ['of an empty piece', [new Uint8Array(0)]],
      ['with empty pieces', [bytesOf(''), bytesOf('a'), bytesOf(''), bytesOf('bc'), bytesOf('')]],
      ['of every byte value', [Uint8Array.from({ length: 256 }, (_, i) => i)]],
      [
        'of views into a larger buffer',
        [patternedBytes(64, 1).subarray(3, 9), Buffer.from('Pool').subarray(1, 3)],
      ],
    ])('returns the exact bytes of a body %s', async (_what, body) => {
      await using harness = await make();
      const object = newObject({ body });
      const expected = Buffer.concat(body);
      expect(await harness.archive.put(object, never)).toMatchObject({ size: expected.length });
      expect(await harness.archive.head(object.key, never)).toMatchObject({ size: expected.length });
      expect((await contentOf(harness.archive, object.key))?.toString('hex')).toBe(expected.toString('hex'));
    });

    it('stores and streams more than 5 MiB', async () => {
      await using harness = await make();
      const whole = patternedBytes(9 * mebibyte + 17, 42);
      const body: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += 65_537) body.push(whole.subarray(at, at + 65_537));
      const object = newObject({ body });
      const stored = await harness.archive.put(object, never);
      expect(stored).toMatchObject({ size: whole.length });
      expect(await harness.archive.head(object.key, never)).toMatchObject({ ...(stored as object) });
      expect((await contentOf(harness.archive, object.key))?.equals(whole)).toBe(true);
    });

    it('lets a reader stop early', async () => {
      await using harness = await make();
      const whole = patternedBytes(2 * mebibyte, 7);
      const object = newObject({ body: [whole] });
      await harness.archive.put(object, never);
      for await (const chunk of (await harness.archive.get(object.key, never)) ?? []) {
        expect(Buffer.from(chunk).equals(whole.subarray(0, chunk.length))).toBe(true);
        break;
      }
      expect((await contentOf(harness.archive, object.key))?.equals(whole)).toBe(true);
    });

    it('returns metadata as it was given', async () => {
      await using harness = await make();
      const metadata = {
        'start-token': 'A b"c\'d;e,f=g&h%20i+j?k#l\\m{n}<o>~',
        'end-token': '!'.repeat(200),
        count: '1000',
        bytes: '123456789',
        'event-time': '2026-01-02T03:04:05.678Z',
      };
      const object = newObject({ metadata });
      await harness.archive.put(object, never);
      expect((await harness.archive.head(object.key, never))?.metadata).toStrictEqual(metadata);
      const bare = newObject({ metadata: {} });
      await harness.archive.put(bare, never);
      expect((await harness.archive.head(bare.key, never))?.metadata).toStrictEqual({});
    });

    it('keeps keys apart: equals signs, slashes, dots, prefixes of one another', async () => {
      await using harness = await make();
      const folder = `contract/${uniqueName('keys')}`;
      const names = ['a=b/c', 'a=b/c.gz', 'a/b=c', 'a.b/c', 'a_b-c/d=/e', 'a=b/c.meta.json', '.hidden/x'];
      for (const keyName of names) {
        const object = newObject({
          key: `${folder}/${keyName}`,
          body: [bytesOf(keyName)],
          metadata: { name: keyName },
        });
        expect(await harness.archive.put(object, never)).toMatchObject({ size: keyName.length });
      }
      for (const keyName of names) {
        expect((await contentOf(harness.archive, `${folder}/${keyName}`))?.toString()).toBe(keyName);
        expect((await harness.archive.head(`${folder}/${keyName}`, never))?.metadata).toStrictEqual({
          name: keyName,
        });
      }
      expect(await harness.archive.head(`${folder}/a=b`, never)).toBeUndefined();
      expect(await harness.archive.get(`${folder}/a=b`, never)).toBeUndefined();
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const object = newObject();
      await expectAborted((signal) => harness.archive.put(object, signal));
      await expectAborted((signal) => harness.archive.head(object.key, signal));
      await expectAborted((signal) => harness.archive.get(object.key, signal));
    });
  });
}
