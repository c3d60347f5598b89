import type { OperatorCursors } from '../../functions/core/operate/ports.ts';
import type {
  Acquired,
  AcquireRequest,
  CursorRow,
  RowKey,
  WriteRequest,
} from '../../functions/core/ports.ts';
import { throwIfAborted } from '../../local/aborted.ts';
import { byOrgAndStream, mayTake, newRow, withLease, written } from '../../local/cursor-row.ts';

/**
 * Cursor rows in a map. Rows are frozen and replaced whole, so that they are handed out without a copy: a simulation
 * makes hundreds of thousands of calls. Every call takes effect at once and resolves in a microtask.
 */
export class MemoryCursorStore implements OperatorCursors {
  readonly #rows = new Map<string, CursorRow>();

  async acquire(request: AcquireRequest, signal: AbortSignal): Promise<Acquired> {
    throwIfAborted(signal, 'Taking the lease');
    const existing = this.peek(request);
    if (existing?.lease !== undefined && !mayTake(existing.lease, request)) {
      return { kind: 'busy', lease: existing.lease };
    }
    const row = existing === undefined ? newRow(request) : withLease(existing, request);
    this.#rows.set(nameOf(row), row);
    return { kind: 'held', row };
  }

  async write(request: WriteRequest, signal: AbortSignal): Promise<'written' | 'refused'> {
    throwIfAborted(signal, 'Writing the row');
    const row = written(this.peek(request), request);
    if (row === undefined) return 'refused';
    this.#rows.set(nameOf(row), row);
    return 'written';
  }

  async read(key: RowKey, signal: AbortSignal): Promise<CursorRow | undefined> {
    throwIfAborted(signal, 'Reading the row');
    return this.peek(key);
  }

  async list(signal: AbortSignal): Promise<readonly CursorRow[]> {
    throwIfAborted(signal, 'Listing the rows');
    return [...this.#rows.values()].sort(byOrgAndStream);
  }

  async setPaused(key: RowKey, paused: boolean, signal: AbortSignal): Promise<'written' | 'missing'> {
    throwIfAborted(signal, 'Writing the row');
    const row = this.peek(key);
    if (row === undefined) return 'missing';
    this.poke({ ...row, paused });
    return 'written';
  }

  /** For tests: the row, without a call. */
  peek(key: RowKey): CursorRow | undefined {
    return this.#rows.get(nameOf(key));
  }

  /** For tests: sets a row past every condition, as an operator would (paused), or as history left it. */
  poke(row: CursorRow): void {
    this.#rows.set(nameOf(row), Object.freeze({ ...row }));
  }
}

function nameOf(key: RowKey): string {
  return JSON.stringify([key.org, key.stream]);
}
