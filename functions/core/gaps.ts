import type { CursorRow, Gap } from './ports.ts';

/** How long after it happened an event may still enter the log. */
export const LATENESS_MS = 10 * 60_000;
/** A read without a token starts this long ago (logs-v1.md, Limits). */
export const WINDOW_MS = 60 * 60_000;
/** How far our clock and the provider's may lie apart: what is this near to the window's edge may be outside. */
const SKEW_MS = 60_000;
const GAPS_KEPT = 20;

/**
 * The gap of a row that has no token yet and was last read too long ago for the next tokenless read to reach back to
 * it. The log is known up to `lastReadAt` less the lateness of events: hence 50 minutes, not 60.
 */
export function gapWithoutToken(row: CursorRow, now: number): Gap | undefined {
  if (row.token !== undefined || row.lastReadAt === undefined) return undefined;
  const from = row.lastReadAt - LATENESS_MS;
  const to = now - WINDOW_MS;
  return to > from ? { from, to, reason: 'no-token' } : undefined;
}

export interface FreshStart {
  readonly now: number;
  /** Whether the first page that held events held one that is committed. */
  readonly overlap: boolean;
  /** Epoch ms of the first event read; absent where there was none, or its time could not be read. */
  readonly firstAt?: number | undefined;
}

/**
 * What a read without a token may have missed since the row's last one. `from` equals `to` where nothing was missed:
 * the window overlaps what is committed, or reaches back to when the log was last read to its end.
 */
export function missedBy(fresh: FreshStart, row: CursorRow): Pick<Gap, 'from' | 'to'> {
  const windowStart = fresh.now - WINDOW_MS;
  const newest = row.newestEventAt ?? Number.NEGATIVE_INFINITY;
  // Where no event's time could be read, the last read is all that is known, though it may not have reached the end.
  const tells = row.caughtUp || row.newestEventAt === undefined;
  const readTo =
    tells && row.lastReadAt !== undefined ? row.lastReadAt - LATENESS_MS : Number.NEGATIVE_INFINITY;
  const known = Math.max(newest, readTo);
  const from = Number.isFinite(known) ? known : windowStart;
  if (fresh.overlap) return { from, to: from };
  // The newest committed event lies well in the window, and yet is not there: the log is not what it was.
  if (newest > windowStart + SKEW_MS)
    return { from: newest, to: Math.max(newest, fresh.firstAt ?? fresh.now) };
  return { from, to: Math.max(from, windowStart) };
}

/** The row's gaps with one more; the same token refused again is the same gap, grown. Keeps the last 20. */
export function withGap(gaps: readonly Gap[], gap: Gap): readonly Gap[] {
  const last = gaps.at(-1);
  const same = last !== undefined && last.token !== undefined && last.token === gap.token;
  const merged = same ? { ...gap, from: Math.min(last.from, gap.from), to: Math.max(last.to, gap.to) } : gap;
  return [...(same ? gaps.slice(0, -1) : gaps), merged].slice(-GAPS_KEPT);
}
