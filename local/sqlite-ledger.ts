import type { StatementSync } from 'node:sqlite';
import type { OperatorLedger } from '../functions/core/operate/ports.ts';
import type { LedgerKey, LedgerRow, ProgressRequest } from '../functions/core/ports-delivery.ts';
import { throwIfAborted } from './aborted.ts';
import type { Database } from './sqlite.ts';

const TABLE = `CREATE TABLE IF NOT EXISTS deliveries (
  destination TEXT NOT NULL,
  key TEXT NOT NULL,
  lines INTEGER NOT NULL,
  done INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (destination, key)
) STRICT, WITHOUT ROWID`;

/** The ledger in SQLite. A condition and its write are one statement, so that of several processes exactly one wins. */
export class SqliteLedger implements OperatorLedger {
  readonly #database: Database;
  readonly #select: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #delete: StatementSync;

  /** The database stays the caller's to close. */
  constructor(database: Database) {
    this.#database = database;
    database.run('Preparing the ledger', () => database.prepare(TABLE).run());
    this.#select = database.prepare(
      'SELECT lines, done, expires_at FROM deliveries WHERE destination = ? AND key = ?',
    );
    this.#insert = database.prepare(
      `INSERT INTO deliveries (lines, done, expires_at, destination, key) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET lines = excluded.lines, done = excluded.done, expires_at = excluded.expires_at
       WHERE deliveries.lines = 0 AND deliveries.done = 0`,
    );
    this.#update = database.prepare(
      `UPDATE deliveries SET lines = ?, done = ?, expires_at = ?
       WHERE destination = ? AND key = ? AND lines = ? AND done = 0`,
    );
    this.#delete = database.prepare('DELETE FROM deliveries WHERE destination = ? AND key = ?');
  }

  async read({ destination, key }: LedgerKey, signal: AbortSignal): Promise<LedgerRow | undefined> {
    throwIfAborted(signal, `Reading the ledger of ${key}`);
    const row = this.#database.run('Reading the ledger', () => this.#select.get(destination, key));
    if (row === undefined) return undefined;
    const { lines, done, expires_at: expiresAt } = row;
    return { destination, key, lines: Number(lines), done: done === 1, expiresAt: Number(expiresAt) };
  }

  async progress(request: ProgressRequest, signal: AbortSignal): Promise<'written' | 'refused'> {
    const { destination, key, expected, lines, done, expiresAt } = request;
    throwIfAborted(signal, `Writing the ledger of ${key}`);
    const values = [lines, Number(done), expiresAt, destination, key] as const;
    const { changes } = this.#database.run('Writing the ledger', () =>
      expected === 0 ? this.#insert.run(...values) : this.#update.run(...values, expected),
    );
    return Number(changes) === 1 ? 'written' : 'refused';
  }

  async reset({ destination, key }: LedgerKey, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `Resetting the ledger of ${key}`);
    this.#database.run('Resetting the ledger', () => this.#delete.run(destination, key));
  }
}
