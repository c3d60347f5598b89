import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileArchive } from '../../local/file-archive.ts';
import { never, patternedBytes } from '../contracts/support.ts';
import { filesBelow, temporaryFolder } from './temporary-folder.ts';

const key = 'logs/org=institution/dt=2026-01-02/e1-000000000001.ndjson.gz';

function objectOf(bytes: Uint8Array, objectKey: string = key) {
  return { key: objectKey, body: [bytes], contentType: 'application/x-ndjson', metadata: { count: '1' } };
}

describe('the archive of files', () => {
  it('stores an object as the plain file of its key, with a hidden file beside it and nothing else', async () => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(folder.path);
    await archive.put(objectOf(gzipSync('{"a":1}\n')), never);
    expect(gunzipSync(await readFile(join(folder.path, key))).toString()).toBe('{"a":1}\n');
    expect(await filesBelow(folder.path)).toStrictEqual([
      'logs/org=institution/dt=2026-01-02/.e1-000000000001.ndjson.gz@meta.json',
      key,
    ]);
  });

  it('tags an object as S3 does, with the MD5 of its bytes', async () => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(folder.path);
    const stored = await archive.put(objectOf(Buffer.from('hello world')), never);
    expect(stored).toStrictEqual({ etag: '5eb63bbbe01eeed093cb22bb8f5acdc3', size: 11 });
  });

  it.each([
    '',
    '/etc/passwd',
    'a/../../b',
    '..',
    'a/..b',
    './a',
    'a/.',
    'a//b',
    'a/',
    'a b',
    'a\\b',
    'a@meta.json',
    'é',
    'a\n',
    'a\0',
    '.staged/a',
  ])('refuses the key %j, for reading too', async (bad) => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(join(folder.path, 'archive'));
    const refused = expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining(`"${bad}"`),
    });
    await expect(archive.put(objectOf(Buffer.from('x'), bad), never)).rejects.toThrow(refused);
    await expect(archive.head(bad, never)).rejects.toThrow(refused);
    await expect(archive.get(bad, never)).rejects.toThrow(refused);
    expect(await filesBelow(folder.path)).toStrictEqual([]);
  });

  it('leaves a file alone that it did not store', async () => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(folder.path);
    await writeFile(join(folder.path, 'notes'), 'mine');
    await expect(archive.put(objectOf(Buffer.from('x'), 'notes'), never)).rejects.toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringMatching(/notes .*move it away/) }),
    );
    expect(await archive.head('notes', never)).toBeUndefined();
    expect(await readFile(join(folder.path, 'notes'), 'utf8')).toBe('mine');
  });

  it('has no object whose file was removed, and does not store it anew', async () => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(folder.path);
    await archive.put(objectOf(Buffer.from('x')), never);
    await rm(join(folder.path, key));
    expect(await archive.head(key, never)).toBeUndefined();
    expect(await archive.get(key, never)).toBeUndefined();
    await expect(archive.put(objectOf(Buffer.from('y')), never)).rejects.toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringContaining('@meta.json') }),
    );
    expect(await filesBelow(join(folder.path, '.staged'))).toStrictEqual([]);
  });

  it('reports a file that was cut short, or a sidecar that is damaged', async () => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(folder.path);
    await archive.put(objectOf(Buffer.from('hello')), never);
    await truncate(join(folder.path, key), 2);
    await expect(archive.head(key, never)).rejects.toThrow(/has 2 bytes, but 5 were stored: restore it/);
    const sidecar = join(
      folder.path,
      'logs/org=institution/dt=2026-01-02/.e1-000000000001.ndjson.gz@meta.json',
    );
    await truncate(sidecar, 9);
    await expect(archive.get(key, never)).rejects.toThrow(/@meta\.json is damaged: restore it/);
  });

  it('says what to do about a path that cannot be', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file'), '');
    const noFolder = expect.objectContaining({
      code: 'storage',
      message: expect.stringMatching(`${folder.path}.*a file is where a folder is needed`),
    });
    await expect(FileArchive.open(join(folder.path, 'file', 'archive'))).rejects.toThrow(noFolder);
    const archive = await FileArchive.open(folder.path);
    await expect(archive.put(objectOf(Buffer.from('x'), 'file/below'), never)).rejects.toThrow(noFolder);
    const long = expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining('name is too long'),
    });
    await expect(archive.put(objectOf(Buffer.from('x'), 'a'.repeat(300)), never)).rejects.toThrow(long);
    expect(await filesBelow(join(folder.path, '.staged'))).toStrictEqual([]);
  });

  it('stops a put or a read when the signal fires', async () => {
    await using folder = await temporaryFolder();
    const archive = await FileArchive.open(folder.path);
    const large = objectOf(patternedBytes(2_000_000, 1));
    const stopped = new AbortController();
    const put = archive.put(large, stopped.signal);
    stopped.abort();
    await expect(put).rejects.toThrow(expect.objectContaining({ code: 'time-out' }));
    expect(await filesBelow(folder.path)).toStrictEqual([]);
    await archive.put(large, never);
    const stoppedLater = new AbortController();
    const read = async () => {
      for await (const _chunk of (await archive.get(key, stoppedLater.signal)) ?? []) stoppedLater.abort();
    };
    await expect(read()).rejects.toThrow(expect.objectContaining({ code: 'time-out' }));
  });

  it('removes at its start what is staged by nobody, and leaves what this process is storing', async () => {
    await using folder = await temporaryFolder();
    const staged = join(folder.path, '.staged');
    await mkdir(staged, { recursive: true });
    // Our own number, but another start's nonce: so it looks in a container where each start is process 1.
    await writeFile(join(staged, `${process.pid}-0123456789ab-1`), 'half');
    await writeFile(join(staged, `${process.pid}-0123456789ab-2.json`), '{"key":"lo');
    const archive = await FileArchive.open(folder.path);
    expect(await filesBelow(staged)).toStrictEqual([]);
    const put = archive.put(objectOf(patternedBytes(1_000_000, 1)), never);
    const opened = await Promise.all([FileArchive.open(folder.path), FileArchive.open(folder.path)]);
    expect(await put).toMatchObject({ size: 1_000_000 });
    for (const other of opened) expect(await other.head(key, never)).toMatchObject({ size: 1_000_000 });
  });
});
