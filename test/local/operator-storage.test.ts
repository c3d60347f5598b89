import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { FileArchive } from '../../local/file-archive.ts';
import { Database } from '../../local/sqlite.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { never } from '../contracts/support.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('an object whose writer died before its last step is listed, and finished; a removed one is not', async () => {
  await using folder = await temporaryFolder();
  const archive = await FileArchive.open(folder.path);
  const keys = ['logs/a', 'logs/b', 'logs/c'];
  for (const key of keys) {
    await archive.put({ key, body: [Buffer.from(key)], contentType: 'text/plain', metadata: {} }, never);
  }
  const { staged } = JSON.parse(await readFile(join(folder.path, 'logs/.b@meta.json'), 'utf8'));
  await rename(join(folder.path, 'logs/b'), join(folder.path, '.staged', staged));
  await rm(join(folder.path, 'logs/c'));
  const listed: string[] = [];
  for await (const page of archive.list('', {}, never)) listed.push(...page.map(({ key }) => key));
  expect(listed).toStrictEqual(['logs/a', 'logs/b']);
  expect(await readFile(join(folder.path, 'logs/b'), 'utf8')).toBe('logs/b');
});

test('messages of an earlier version keep their places, and get an age', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'orglog.sqlite');
  new Database(path).close();
  const earlier = new DatabaseSync(path);
  earlier.exec(`ALTER TABLE messages DROP COLUMN queued_at; PRAGMA user_version = 1;
    INSERT INTO messages (queue, body, visible_at) VALUES ('siem', 'first', 5000), ('siem', 'second', 8000)`);
  earlier.close();
  using database = new Database(path);
  const queue = new SqliteQueue(database, {
    name: 'siem',
    visibilityMs: 0,
    maxReceives: 3,
    now: () => 9_000,
  });
  expect(await queue.standing(never)).toStrictEqual({
    visible: 2,
    inFlight: 0,
    oldestAgeSeconds: 4,
    dead: 0,
  });
  expect((await queue.receive(10, never)).map(({ body }) => body)).toStrictEqual(['first', 'second']);
});
