import type {
  AcquireRequest,
  CursorRow,
  Lease,
  RowKey,
  RowPatch,
  WriteRequest,
} from '../functions/core/ports.ts';

/** The row that `acquire` creates where there is none. */
export function newRow(request: AcquireRequest): CursorRow {
  const { org, stream, create } = request;
  return Object.freeze({
    org,
    stream,
    epoch: create.epoch,
    source: create.source,
    sequence: 0,
    days: { [create.day]: 1 },
    announced: {},
    gaps: [],
    rereads: false,
    caughtUp: false,
    paused: false,
    lease: { owner: request.owner, expiresAt: request.expiresAt },
  });
}

/** In order of organization and stream, by code units: as keys are ordered. */
export function byOrgAndStream(a: RowKey, b: RowKey): number {
  if (a.org !== b.org) return a.org < b.org ? -1 : 1;
  if (a.stream === b.stream) return 0;
  return a.stream < b.stream ? -1 : 1;
}

/** Whether this request may have the lease (the rule of `CursorStore.acquire`). */
export function mayTake(lease: Lease | undefined, request: AcquireRequest): boolean {
  return (
    lease === undefined ||
    lease.owner === request.owner ||
    lease.expiresAt <= request.now ||
    lease.expiresAt > request.latestPossibleExpiry
  );
}

/** The row with its lease given to the owner of this request. */
export function withLease(row: CursorRow, request: AcquireRequest): CursorRow {
  return Object.freeze({ ...row, lease: { owner: request.owner, expiresAt: request.expiresAt } });
}

/** The row after this write; `undefined` where one of its conditions does not hold. */
export function written(row: CursorRow | undefined, request: WriteRequest): CursorRow | undefined {
  if (row?.lease?.owner !== request.owner) return undefined;
  if (request.expectedSequence !== undefined && request.expectedSequence !== row.sequence) return undefined;
  const next: { -readonly [K in keyof CursorRow]: CursorRow[K] } = { ...row, ...given(request.set) };
  for (const member of ['token', 'refusedToken', 'newestEventAt', 'lastReadAt'] as const) {
    if (member in request.set && request.set[member] === undefined) delete next[member];
  }
  if (request.release) delete next.lease;
  return Object.freeze(next);
}

/** The members of a patch that have a value: `undefined` removes, and never becomes a value of the row. */
function given(set: RowPatch): Partial<CursorRow> {
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
}
