import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { storageError } from './storage-errors.ts';

/** How much of the SIEM's file is settled. */
export interface Settled {
  readonly bytes: number;
  readonly lines: number;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  CREATE TABLE IF NOT EXISTS settled (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, lines INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO settled VALUES (1, 0, 0);
`;

/** What the local SIEM has taken in: the settled length of its file, and the keys of the objects that make it up. */
export class SiemLedger implements Disposable {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #find: StatementSync;
  readonly #update: StatementSync;
  readonly #insert: StatementSync;

  /** @throws OrglogError `storage` when the file cannot be used */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#database = new DatabaseSync(path, { timeout: 10_000 });
    } catch (error) {
      throw storageError(error, "Opening the SIEM's ledger", path);
    }
    try {
      this.#database.exec(SCHEMA);
      this.#select = this.#database.prepare('SELECT bytes, lines FROM settled');
      this.#find = this.#database.prepare('SELECT 1 FROM done WHERE key = ?');
      this.#update = this.#database.prepare('UPDATE settled SET bytes = ?, lines = ?');
      this.#insert = this.#database.prepare('INSERT INTO done VALUES (?)');
    } catch (error) {
      this.#database.close();
      throw storageError(error, "Opening the SIEM's ledger", path);
    }
  }

  settled(): Settled {
    return this.#attempt(() => {
      const row = this.#select.get();
      return { bytes: Number(row?.bytes), lines: Number(row?.lines) };
    });
  }

  isDone(key: string): boolean {
    return this.#attempt(() => this.#find.get(key) !== undefined);
  }

  /** The file was moved away: what was taken in stays taken in, and the next file begins. */
  beginFile(): void {
    this.#attempt(() => this.#update.run(0, 0));
  }

  /** In one transaction: the file's new length, and the key whose lines it now ends with. */
  settle(key: string, { bytes, lines }: Settled): void {
    this.#attempt(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        this.#update.run(bytes, lines);
        this.#insert.run(key);
        this.#database.exec('COMMIT');
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(error, "Using the SIEM's ledger", this.#path);
    }
  }
}
