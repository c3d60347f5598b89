import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { OrglogError } from '../functions/core/errors.ts';
import { isLocked, storageError } from './storage-errors.ts';

/** How long a write waits for another process's; writes take milliseconds. */
const busyTimeoutMs = 10_000;

const retryAfterMs = 10;

/** Step n takes a database from `user_version` n to n + 1. Steps that were released never change. */
const schemaSteps: readonly string[] = [
  `CREATE TABLE cursor_rows (
     org TEXT NOT NULL,
     stream TEXT NOT NULL,
     content TEXT NOT NULL,
     PRIMARY KEY (org, stream)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE messages (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     queue TEXT NOT NULL,
     body TEXT NOT NULL,
     visible_at INTEGER NOT NULL,
     receives INTEGER NOT NULL DEFAULT 0,
     dead INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX messages_by_queue ON messages (queue, dead, visible_at, id);`,
  // Of messages that are there already nothing better is known. The default is for a process of the version before,
  // which may have the file open.
  `ALTER TABLE messages ADD COLUMN queued_at INTEGER NOT NULL DEFAULT 0;
   UPDATE messages SET queued_at = visible_at;`,
];

/**
 * The one database file of a data folder, shared by the cursor rows and the queues, and safe to open from several
 * processes. WAL lets readers go on beside a writer; `synchronous=FULL` syncs the log at every commit, so that what
 * was committed outlives a power failure and not only a dead process.
 */
export class Database implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;

  /**
   * Opens the file, creating it and its folder where needed, and brings its schema up to date.
   * @throws OrglogError `storage` when it cannot be opened, or a newer version of this program wrote it
   */
  constructor(path: string) {
    this.path = path;
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.#database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    } catch (error) {
      throw storageError(error, 'Opening the database', path);
    }
    try {
      this.#configure();
      this.#migrate();
    } catch (error) {
      this.#database.close();
      throw storageError(error, 'Opening the database', path);
    }
  }

  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  /**
   * Runs statements that do not write, or only one.
   * @param action - begins the sentence of an error: `Reading the cursor row`
   */
  run<T>(action: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(error, action, this.path);
    }
  }

  /**
   * Runs `work` as one transaction that holds the write lock from its start (BEGIN IMMEDIATE): what it reads cannot
   * change before it writes. All or nothing; durable once this returns.
   */
  transaction<T>(action: string, work: () => T): T {
    return this.run(action, () => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        // Some failures (a full disk) roll back by themselves.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #configure(): void {
    const giveUpAt = Date.now() + busyTimeoutMs;
    for (;;) {
      try {
        // fullfsync: macOS's plain fsync leaves data in the drive's cache. Elsewhere it changes nothing.
        this.#database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;');
        return;
      } catch (error) {
        // While another process opens the file for the first time or closes it as the last, SQLite answers "locked"
        // at once, whatever the busy time-out (https://www.sqlite.org/wal.html, section 8).
        if (!isLocked(error) || Date.now() > giveUpAt) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryAfterMs);
      }
    }
  }

  #migrate(): void {
    if (this.#version() === schemaSteps.length) return;
    this.transaction('Preparing the database', () => {
      const version = this.#version();
      if (version > schemaSteps.length) {
        throw new OrglogError(
          'storage',
          `${this.path} was written by a newer version of orglog (schema ${version}, this one knows ` +
            `${schemaSteps.length}): update orglog, or choose another data folder`,
        );
      }
      for (const step of schemaSteps.slice(version)) this.#database.exec(step);
      this.#database.exec(`PRAGMA user_version=${schemaSteps.length}`);
    });
  }

  #version(): number {
    return Number(this.#database.prepare('PRAGMA user_version').get()?.user_version);
  }
}
