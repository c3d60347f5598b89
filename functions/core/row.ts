import { createHash } from 'node:crypto';
import type { BatchFacts } from './batch-facts.ts';
import { withGap } from './gaps.ts';
import { withToday } from './keys.ts';
import type { CursorRow, Day, RowPatch } from './ports.ts';
import type { RunSettings } from './run.ts';

/**
 * Which log a row belongs to: base URL (with or without its last slash), orgUrl (which counts its own) and filters,
 * whatever order they were named in.
 */
export function sourceFingerprint(settings: Pick<RunSettings, 'baseUrl' | 'orgUrl' | 'filters'>): string {
  const filters = Object.entries(settings.filters).sort(([a], [b]) => (a < b ? -1 : 1));
  const identity = JSON.stringify([settings.baseUrl.replace(/\/+$/, ''), settings.orgUrl, filters]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

/** A row's epoch: 6 characters of base 36, so that a second row never repeats the first one's keys and event ids. */
export function mintEpoch(random: number): string {
  return Math.floor(random * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
}

/** The patch that commits one batch: all that must change together. */
export function commitPatch(row: CursorRow, facts: BatchFacts, today: Day): RowPatch {
  const sequence = row.sequence + 1;
  const newest = latest(row.newestEventAt, facts.last);
  return {
    sequence,
    ...(facts.end !== undefined && { token: facts.end }),
    days: withToday(row.days, sequence + 1, today, oldestOwed(row)),
    announced: row.announced,
    rereads: facts.rereads,
    ...(facts.gap !== undefined && { gaps: withGap(row.gaps, facts.gap) }),
    // No event is newer than its batch: one whose clock ran ahead would hide every later gap and lag.
    ...(newest !== undefined && { newestEventAt: Math.min(newest, facts.eventTime) }),
    refusedToken: undefined,
  };
}

/** What the row says once a patch is written. */
export function patched(row: CursorRow, patch: RowPatch): CursorRow {
  const next: Record<string, unknown> = { ...row, ...patch };
  for (const [name, value] of Object.entries(patch)) if (value === undefined) delete next[name];
  return next as unknown as CursorRow;
}

/** The first sequence that some destination still has to hear of. */
export function oldestOwed(row: Pick<CursorRow, 'announced' | 'sequence'>): number {
  return Math.min(row.sequence, ...Object.values(row.announced)) + 1;
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
