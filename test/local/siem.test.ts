import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OrglogError } from '../../functions/core/errors.ts';
import { notification } from '../../functions/core/notification.ts';
import { type Backend, openBackend } from '../../local/backend.ts';
import type { Taken } from '../../local/siem.ts';
import { SiemPump } from '../../local/siem-pump.ts';
import { temporaryFolder } from './temporary-folder.ts';

const { signal } = new AbortController();
/** Waits for nothing. */
const HASTY = { now: Date.now, sleep: async () => {} };

/** Store an object and announce it, as the collector does. */
async function announce({ archive, queue }: Backend, key: string, body: Uint8Array): Promise<void> {
  const contentType = 'application/x-ndjson';
  const stored = await archive.put({ key, body: [body], contentType, metadata: {} }, signal);
  if (stored === 'exists') throw new Error(`${key} exists`);
  const { bucket, region } = archive;
  await queue.send(notification({ bucket, region, key, eventTime: 0, ...stored }), signal);
}

const siemFileOf = (folder: string) => readFile(join(folder, 'siem.ndjson'), 'utf8');

describe('the local SIEM', () => {
  test('keeps the lines of each object in the order of the queue, then removes the message', async () => {
    await using folder = await temporaryFolder();
    await using backend = await openBackend(folder.path);
    await announce(backend, 'logs/a.gz', gzipSync('{"n":1}\n{"n":2}\n'));
    await announce(backend, 'logs/b.gz', gzipSync('{"n":3}\n'));
    expect(await backend.siem.takeNext(signal)).toEqual({ kind: 'stored', key: 'logs/a.gz' });
    expect(await backend.siem.takeNext(signal)).toEqual({ kind: 'stored', key: 'logs/b.gz' });
    expect(await backend.siem.takeNext(signal)).toEqual({ kind: 'nothing-waits' });
    expect(await backend.queue.depth(signal)).toEqual({ waiting: 0, dead: 0 });
    expect(await siemFileOf(folder.path)).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
    expect(backend.siemFile.settled).toEqual({ bytes: 24, lines: 3 });
  });

  test('takes nothing in twice, also after a new start', async () => {
    await using folder = await temporaryFolder();
    const body = gzipSync('{"n":1}\n');
    {
      await using backend = await openBackend(folder.path);
      await announce(backend, 'logs/a.gz', body);
      const [message] = await backend.queue.receive(1, signal);
      await backend.queue.send(message?.body ?? '', signal);
      await backend.siem.takeNext(signal);
    }
    await using backend = await openBackend(folder.path);
    expect(await backend.siem.takeNext(signal)).toEqual({ kind: 'known-already', key: 'logs/a.gz' });
    expect(await siemFileOf(folder.path)).toBe('{"n":1}\n');
  });

  test('a message that was received by a process that died is there at once, and first', async () => {
    await using folder = await temporaryFolder();
    await using backend = await openBackend(folder.path);
    await announce(backend, 'logs/a.gz', gzipSync('1\n'));
    await announce(backend, 'logs/b.gz', gzipSync('2\n'));
    await backend.queue.receive(1, signal);
    expect(await backend.siem.takeNext(signal)).toEqual({ kind: 'stored', key: 'logs/a.gz' });
  });

  test.each([
    ['cut short', gzipSync('{"n":1}\n'.repeat(100_000)).subarray(0, 300)],
    ['no gzip', Buffer.from('{"n":1}\n')],
  ])('of an object that is %s nothing is kept, and what follows is', async (_, body) => {
    await using folder = await temporaryFolder();
    await using backend = await openBackend(folder.path);
    await announce(backend, 'logs/a.gz', body);
    await announce(backend, 'logs/b.gz', gzipSync('{"n":2}\n'));
    const taken: Taken[] = [];
    const troubles: OrglogError[] = [];
    const pump = new SiemPump({
      ...{ siem: backend.siem, clock: HASTY, patient: false },
      onTaken: (one) => taken.push(one),
      onTrouble: (error) => troubles.push(error),
    });
    await pump.run(AbortSignal.abort(), signal);
    expect(taken.filter(({ kind }) => kind === 'unreadable')).toHaveLength(20);
    expect(taken[0]).toMatchObject({ reason: expect.stringContaining('logs/a.gz cannot be read') });
    expect(taken.at(-1)).toEqual({ kind: 'stored', key: 'logs/b.gz' });
    expect(troubles).toEqual([]);
    expect(await backend.queue.depth(signal)).toEqual({ waiting: 0, dead: 1 });
    expect(await siemFileOf(folder.path)).toBe('{"n":2}\n');
  });

  test.each([
    [
      'an object that is gone',
      notification({ bucket: 'b', region: 'r', key: 'logs/x.gz', eventTime: 0, etag: 'e', size: 1 }),
      /gone/,
    ],
    ['a message of another kind', '{"Records":[]}', /no S3 event notification/],
    ['a message that is no JSON', 'hello', /no S3 event notification/],
  ])('%s is unreadable, and stays in the queue', async (_, body, reason) => {
    await using folder = await temporaryFolder();
    await using backend = await openBackend(folder.path);
    await backend.queue.send(body, signal);
    expect(await backend.siem.takeNext(signal)).toEqual({
      kind: 'unreadable',
      reason: expect.stringMatching(reason),
    });
    expect(await backend.queue.depth(signal)).toEqual({ waiting: 1, dead: 0 });
  });
});
