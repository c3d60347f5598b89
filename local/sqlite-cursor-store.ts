import type { StatementSync } from 'node:sqlite';
import type { OperatorCursors } from '../functions/core/operate/ports.ts';
import type { Acquired, AcquireRequest, CursorRow, RowKey, WriteRequest } from '../functions/core/ports.ts';
import { throwIfAborted } from './aborted.ts';
import { byOrgAndStream, mayTake, newRow, withLease, written } from './cursor-row.ts';
import type { Database } from './sqlite.ts';

/**
 * The cursor rows in SQLite, each as one JSON document. A condition is checked and its write made inside one
 * immediate transaction, so that of several processes exactly one wins.
 */
export class SqliteCursorStore implements OperatorCursors {
  readonly #database: Database;
  readonly #select: StatementSync;
  readonly #selectAll: StatementSync;
  readonly #upsert: StatementSync;

  /** The database stays the caller's to close. */
  constructor(database: Database) {
    this.#database = database;
    this.#select = database.prepare('SELECT content FROM cursor_rows WHERE org = ? AND stream = ?');
    this.#selectAll = database.prepare('SELECT content FROM cursor_rows');
    this.#upsert = database.prepare(
      'INSERT OR REPLACE INTO cursor_rows (org, stream, content) VALUES (?, ?, ?)',
    );
  }

  async acquire(request: AcquireRequest, signal: AbortSignal): Promise<Acquired> {
    throwIfAborted(signal, `Taking the lease of ${request.org}/${request.stream}`);
    return this.#database.transaction('Taking the lease', () => {
      const existing = this.#find(request);
      if (existing?.lease !== undefined && !mayTake(existing.lease, request)) {
        return { kind: 'busy', lease: existing.lease };
      }
      const row = existing === undefined ? newRow(request) : withLease(existing, request);
      this.#store(row);
      return { kind: 'held', row };
    });
  }

  async write(request: WriteRequest, signal: AbortSignal): Promise<'written' | 'refused'> {
    throwIfAborted(signal, `Writing the row of ${request.org}/${request.stream}`);
    return this.#database.transaction('Writing the cursor row', () => {
      const row = written(this.#find(request), request);
      if (row === undefined) return 'refused';
      this.#store(row);
      return 'written';
    });
  }

  async read(key: RowKey, signal: AbortSignal): Promise<CursorRow | undefined> {
    throwIfAborted(signal, `Reading the row of ${key.org}/${key.stream}`);
    return this.#database.run('Reading the cursor row', () => this.#find(key));
  }

  async list(signal: AbortSignal): Promise<readonly CursorRow[]> {
    throwIfAborted(signal, 'Listing the cursor rows');
    const found = this.#database.run('Listing the cursor rows', () => this.#selectAll.all());
    return found.map(({ content }) => JSON.parse(String(content)) as CursorRow).sort(byOrgAndStream);
  }

  async setPaused(key: RowKey, paused: boolean, signal: AbortSignal): Promise<'written' | 'missing'> {
    throwIfAborted(signal, `Writing the row of ${key.org}/${key.stream}`);
    return this.#database.transaction('Writing the cursor row', () => {
      const row = this.#find(key);
      if (row === undefined) return 'missing';
      this.#store({ ...row, paused });
      return 'written';
    });
  }

  #find(key: RowKey): CursorRow | undefined {
    const found = this.#select.get(key.org, key.stream);
    return found === undefined ? undefined : (JSON.parse(String(found.content)) as CursorRow);
  }

  #store(row: CursorRow): void {
    this.#upsert.run(row.org, row.stream, JSON.stringify(row));
  }
}
