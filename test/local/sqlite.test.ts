import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Database } from '../../local/sqlite.ts';
import { SqliteCursorStore } from '../../local/sqlite-cursor-store.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { never } from '../contracts/support.ts';
import { outcomeOf, startChild } from './child-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const queueSettings = { visibilityMs: 1000, maxReceives: 3, now: () => 0 };

describe('the embedded database', () => {
  it('syncs every commit, and lets readers go on beside a writer', async () => {
    await using folder = await temporaryFolder();
    using database = new Database(join(folder.path, 'state.sqlite'));
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('busy_timeout')).toBeGreaterThan(1000);
  });

  it('keeps what it holds when it is opened again', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'new', 'folder', 'state.sqlite');
    for (const expected of [1, 2]) {
      using database = new Database(path);
      const queue = new SqliteQueue(database, { name: 'siem', ...queueSettings });
      await queue.send('message', never);
      expect(await queue.depth(never)).toStrictEqual({ waiting: expected, dead: 0 });
    }
  });

  it('keeps queues of different names apart', async () => {
    await using folder = await temporaryFolder();
    using database = new Database(join(folder.path, 'state.sqlite'));
    const splunk = new SqliteQueue(database, { name: 'splunk', ...queueSettings });
    const elastic = new SqliteQueue(database, { name: 'elastic', ...queueSettings });
    await splunk.send('for splunk', never);
    expect(await elastic.receive(10, never)).toStrictEqual([]);
    const [message] = await splunk.receive(10, never);
    await elastic.remove(message?.receipt ?? '', never);
    expect(await splunk.depth(never)).toStrictEqual({ waiting: 1, dead: 0 });
    expect(await elastic.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
  });

  it('does not remove a message by the receipt of an earlier delivery', async () => {
    await using folder = await temporaryFolder();
    using database = new Database(join(folder.path, 'state.sqlite'));
    const queue = new SqliteQueue(database, { name: 'siem', ...queueSettings, visibilityMs: 0 });
    await queue.send('slow', never);
    const [first] = await queue.receive(1, never);
    const [second] = await queue.receive(1, never);
    for (const receipt of [first?.receipt ?? '', '', 'not a receipt']) await queue.remove(receipt, never);
    expect(await queue.depth(never)).toStrictEqual({ waiting: 1, dead: 0 });
    await queue.remove(second?.receipt ?? '', never);
    expect(await queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
  });

  it('does not touch a database that a newer version wrote', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'state.sqlite');
    new Database(path).close();
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version=99');
    newer.close();
    expect(() => new Database(path)).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringMatching(/newer version.*schema 99.*update orglog/),
      }),
    );
  });

  it('says what to do about a file that is no database, or a folder that cannot be', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'state.sqlite');
    await writeFile(path, 'these are notes, kept by somebody else\n'.repeat(100));
    expect(() => new Database(path)).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringMatching(`${path}: it is no database: move`),
      }),
    );
    expect(() => new Database(join(path, 'below', 'a-file.sqlite'))).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringContaining('a file is where a folder is needed'),
      }),
    );
  });

  it('rolls back a transaction that fails, and names the file', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'state.sqlite');
    using database = new Database(path);
    const queue = new SqliteQueue(database, { name: 'siem', ...queueSettings });
    const failing = () =>
      database.transaction('Testing', () => {
        database
          .prepare("INSERT INTO messages (queue, body, visible_at) VALUES ('siem', 'half done', 0)")
          .run();
        throw new Error('the second half failed');
      });
    expect(failing).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringMatching(`Testing failed at ${path}.*second half`),
      }),
    );
    expect(await queue.depth(never)).toStrictEqual({ waiting: 0, dead: 0 });
  });

  it('has one holder of a lease at a time, over processes that open it at once', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'state.sqlite');
    const children = Array.from({ length: 3 }, () =>
      startChild(new URL('./contender-child.ts', import.meta.url), path, '60'),
    );
    const outcomes = children.map(outcomeOf);
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.stdin.write('start');
    expect(await Promise.all(outcomes)).toStrictEqual([0, 0, 0]);
    using database = new Database(path);
    const row = await new SqliteCursorStore(database).read({ org: 'institution', stream: 'logs' }, never);
    expect(row?.sequence).toBe(3 * 60);
  });
});
