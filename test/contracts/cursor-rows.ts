import { expect } from 'vitest';
import type {
  Acquired,
  AcquireRequest,
  CursorRow,
  CursorStore,
  RowKey,
  RowPatch,
} from '../../functions/core/ports.ts';
import { never, uniqueName } from './support.ts';

export interface CursorStoreHarness extends AsyncDisposable {
  readonly store: CursorStore;
}

export const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const minute = 60_000;

export function newKey(): RowKey {
  return { org: uniqueName('org'), stream: 'logs' };
}

export function request(key: RowKey, owner: string, changes: Partial<AcquireRequest> = {}): AcquireRequest {
  return {
    ...key,
    owner,
    now,
    expiresAt: now + 5 * minute,
    latestPossibleExpiry: now + 10 * minute,
    create: { epoch: 'e1', source: 'source-1', day: '2026-01-02' },
    ...changes,
  };
}

export function held(acquired: Acquired): CursorRow {
  if (acquired.kind !== 'held') throw new Error(`the lease is busy: ${JSON.stringify(acquired.lease)}`);
  return acquired.row;
}

/** Everything that a row can hold, none of it at its initial value. */
const fullState = {
  token: '0190b6a0-7c1e-7000-8000-000000000001',
  sequence: 7,
  days: { '2026-01-02': 1, '2026-01-03': 8 },
  announced: { splunk: 6, elastic: 7 },
  gaps: [{ from: now - 2 * minute, to: now - minute, reason: 'stale-token', token: 'gone' }],
  rereads: true,
  refusedToken: 'refused',
  newestEventAt: now - 1,
  lastReadAt: now,
  caughtUp: true,
} as const satisfies RowPatch;

/** A row with `fullState`, its lease held by `a`. */
export async function fullRow(store: CursorStore): Promise<{ key: RowKey; row: CursorRow }> {
  const key = newKey();
  const created = held(await store.acquire(request(key, 'a'), never));
  const write = { ...key, owner: 'a', expectedSequence: 0, set: fullState, release: false };
  expect(await store.write(write, never)).toBe('written');
  return { key, row: { ...created, ...fullState } };
}
