import { type BatchFacts, fromMetadata } from '../batch-facts.ts';
import { objectKey } from '../keys.ts';
import type { Archive, CursorRow, Day, ObjectHead } from '../ports.ts';
import { CALLS_AT_ONCE, mapAhead } from './ahead.ts';

/** What the archive says of one committed batch without its being read. */
export interface BatchHead {
  readonly sequence: number;
  /** Absent once the row has pruned the batch's day (100 days). */
  readonly key?: string;
  /** Absent where the archive has no such object. */
  readonly head?: ObjectHead;
  /** Absent where the object is, and where its metadata is not ours. */
  readonly facts?: BatchFacts;
}

/** Sequences, both included; none where `first` is greater. */
export interface SequenceRange {
  readonly first: number;
  readonly last: number;
}

/** The batches of a range by HEAD, several at once; newest first where wished. */
export async function* batchesOf(
  row: CursorRow,
  archive: Pick<Archive, 'head'>,
  { first, last }: SequenceRange,
  signal: AbortSignal,
  order: 'oldest-first' | 'newest-first' = 'oldest-first',
): AsyncGenerator<BatchHead> {
  const [from, to, step] = order === 'oldest-first' ? [first, last, 1] : [last, first, -1];
  if (first > last) return;
  yield* mapAhead(steps(from, to, step), CALLS_AT_ONCE, (sequence) =>
    batchAt(row, archive, sequence, signal),
  );
}

export async function batchAt(
  row: CursorRow,
  archive: Pick<Archive, 'head'>,
  sequence: number,
  signal: AbortSignal,
): Promise<BatchHead> {
  const key = objectKey(row, sequence);
  if (key === undefined) return { sequence };
  const head = await archive.head(key, signal);
  if (head === undefined) return { sequence, key };
  const facts = fromMetadata(head.metadata);
  return { sequence, key, head, ...(facts && { facts }) };
}

/**
 * What was committed from one day to another, both included, of what the row can still name. A batch lies under the
 * day of its commit, which is never before the day of its newest event.
 */
export function sequencesOfDays(row: CursorRow, from: Day, to?: Day): SequenceRange {
  const days = Object.entries(row.days).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = days.find(([day]) => day >= from)?.[1] ?? row.sequence + 1;
  const next = to === undefined ? undefined : days.find(([day]) => day > to)?.[1];
  return { first, last: Math.min(row.sequence, (next ?? row.sequence + 1) - 1) };
}

/** The first day that the row still keeps, and its first number. */
export function oldestKept({
  days,
}: CursorRow): { readonly day: Day; readonly sequence: number } | undefined {
  const [oldest] = Object.entries(days).sort(([a], [b]) => (a < b ? -1 : 1));
  return oldest && { day: oldest[0], sequence: oldest[1] };
}

function* steps(from: number, to: number, step: number): Generator<number> {
  for (let at = from; step > 0 ? at <= to : at >= to; at += step) yield at;
}
