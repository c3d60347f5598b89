import { fromMetadata } from './batch-facts.ts';
import { WINDOW_MS } from './gaps.ts';
import { objectKey } from './keys.ts';
import { KnownLines } from './known-lines.ts';
import type { Archive, CursorRow } from './ports.ts';

/** How far before the first event read an equal one may lie in the archive. */
const MARGIN_MS = 15 * 60_000;
/** Lines remembered at most, about 100 bytes each. Past it a repeat may get through: rather that than a loss. */
export const MOST_LINES = 500_000;

/**
 * The committed lines that a read can return again: the last batches, newest first, to 15 minutes before the first
 * event read (`firstAt`; where its time is not known, before the window that a tokenless read covers).
 */
export async function readBack(
  row: CursorRow,
  firstAt: number | undefined,
  archive: Archive,
  now: number,
  signal: AbortSignal,
): Promise<KnownLines> {
  const since = (firstAt ?? now - WINDOW_MS) - MARGIN_MS;
  const known = new KnownLines();
  for (let sequence = row.sequence; sequence > 0 && known.distinct < MOST_LINES; sequence--) {
    const key = objectKey(row, sequence);
    const head = key === undefined ? undefined : await archive.head(key, signal);
    if (key === undefined || head === undefined) break;
    const facts = fromMetadata(head.metadata);
    const last = facts?.last ?? Number.POSITIVE_INFINITY;
    // No event is newer than its batch: what was put before holds nothing, and neither does what came before that.
    if (facts !== undefined && Math.max(facts.last ?? 0, facts.eventTime) < since) break;
    // Old events that were put late, after an operator's rewind: what came before them may be newer.
    if (last < since) continue;
    const object = await archive.get(key, signal);
    if (object === undefined) break;
    await known.addObject(key, object);
  }
  return known;
}
