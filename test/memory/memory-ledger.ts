import type { OperatorLedger } from '../../functions/core/operate/ports.ts';
import type { LedgerKey, LedgerRow, ProgressRequest } from '../../functions/core/ports-delivery.ts';
import { throwIfAborted } from '../../local/aborted.ts';

/** The ledger in a map. Every call takes effect at once and resolves in a microtask. */
export class MemoryLedger implements OperatorLedger {
  readonly #rows = new Map<string, LedgerRow>();

  async read(key: LedgerKey, signal: AbortSignal): Promise<LedgerRow | undefined> {
    throwIfAborted(signal, `Reading the ledger of ${key.key}`);
    return this.peek(key);
  }

  async progress(request: ProgressRequest, signal: AbortSignal): Promise<'written' | 'refused'> {
    throwIfAborted(signal, `Writing the ledger of ${request.key}`);
    const { expected, ...row } = request;
    const existing = this.peek(request);
    if (existing?.done || (existing?.lines ?? 0) !== expected) return 'refused';
    this.#rows.set(nameOf(row), Object.freeze(row));
    return 'written';
  }

  async reset(key: LedgerKey, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, `Resetting the ledger of ${key.key}`);
    this.#rows.delete(nameOf(key));
  }

  /** For tests: the row, without a call. */
  peek(key: LedgerKey): LedgerRow | undefined {
    return this.#rows.get(nameOf(key));
  }

  /** For tests: every row. */
  get rows(): readonly LedgerRow[] {
    return [...this.#rows.values()];
  }
}

function nameOf({ destination, key }: LedgerKey): string {
  return JSON.stringify([destination, key]);
}
