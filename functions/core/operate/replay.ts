import { asOrglogError, type OrglogError } from '../errors.ts';
import { LATENESS_MS } from '../gaps.ts';
import { dayOf } from '../keys.ts';
import { notification } from '../notification.ts';
import type { CursorRow, Day } from '../ports.ts';
import { CALLS_AT_ONCE, mapAhead } from './ahead.ts';
import { batchAt, batchesOf, oldestKept, type SequenceRange, sequencesOfDays } from './batches.ts';
import { touches } from './event-times.ts';
import type { DeployedDestination, Deployment } from './ports.ts';

/** Which batches: those that hold events of a stretch of time (epoch ms, both ends included), or by their numbers. */
export type ReplayWindow =
  | { readonly from: number; readonly to: number }
  | { readonly firstSequence: number; readonly lastSequence: number };

/** What a replay would announce. */
export interface ReplayPlan {
  readonly row: CursorRow;
  /** Oldest first. */
  readonly sequences: readonly number[];
  readonly events: number;
  /** Uncompressed, and as stored. */
  readonly bytes: number;
  readonly storedBytes: number;
  /** Batches in between whose objects are gone, or whose metadata is not ours: they cannot be announced. */
  readonly missing: readonly number[];
  /** Of the window, what the cursor no longer knows the keys of: batches up to this number, of days before this one. */
  readonly forgotten?: { readonly last: number; readonly before: Day };
}

export type PlanStep =
  | { readonly kind: 'progress'; readonly looked: number; readonly of: number }
  | { readonly kind: 'plan'; readonly plan: ReplayPlan };

/**
 * The dry run: what lies in the window, by HEADs. By times, a batch counts where it can hold an event of them; since no
 * event is newer than its batch, none committed before `from` is looked at. An event may be in the log 10 minutes late,
 * so a batch can hold older ones than its first.
 */
export async function* planReplay(
  { archive }: Pick<Deployment, 'archive'>,
  row: CursorRow,
  window: ReplayWindow,
  signal: AbortSignal,
): AsyncGenerator<PlanStep> {
  const forgotten = forgottenIn(row, window);
  const { first, last } = rangeOf(row, window);
  const range = { first: Math.max(first, (forgotten?.last ?? 0) + 1), last };
  const of = Math.max(0, range.last - range.first + 1);
  const sequences: number[] = [];
  const missing: number[] = [];
  let [looked, events, bytes, storedBytes] = [0, 0, 0, 0];
  for await (const { sequence, head, facts } of batchesOf(row, archive, range, signal)) {
    looked++;
    if (head === undefined || facts === undefined) missing.push(sequence);
    else if (!('from' in window) || touches(facts, window.from, window.to + LATENESS_MS)) {
      sequences.push(sequence);
      events += facts.count;
      bytes += facts.bytes;
      storedBytes += head.size;
    }
    yield { kind: 'progress', looked, of };
  }
  const plan = { row, sequences, events, bytes, storedBytes, missing, ...(forgotten && { forgotten }) };
  yield { kind: 'plan', plan };
}

export type ReplayStep =
  | {
      readonly kind: 'announced';
      readonly sequence: number;
      readonly events: number;
      readonly done: number;
      readonly of: number;
    }
  /** Gone since it was planned. */
  | { readonly kind: 'missing'; readonly sequence: number; readonly done: number; readonly of: number }
  /** The signal fired, or a call failed: everything before `next` is announced, and a replay from there goes on. */
  | { readonly kind: 'stopped'; readonly next: number; readonly error?: OrglogError }
  | { readonly kind: 'done'; readonly announced: number };

/**
 * Announce the planned batches once more, oldest first, to these destinations only: with the very message that the
 * collector sent, so a consumer sees a repeat for what it is. For a push destination its ledger row is forgotten first,
 * or nothing would be sent. Safe to repeat: events keep their identifiers.
 *
 * @param signal fires at the wish to stop, which is heeded between two batches
 * @param stopAll fires when calls under way must end as well
 */
export async function* replay(
  ports: Pick<Deployment, 'archive' | 'ledger' | 'queue'>,
  { row, sequences }: Pick<ReplayPlan, 'row' | 'sequences'>,
  destinations: readonly DeployedDestination[],
  signal: AbortSignal,
  stopAll: AbortSignal = new AbortController().signal,
): AsyncGenerator<ReplayStep> {
  const of = sequences.length;
  const to = destinations.map((destination) => ({ destination, queue: ports.queue(destination.id) }));
  let [done, announced] = [0, 0];
  try {
    const batches = mapAhead(sequences, CALLS_AT_ONCE, (at) => batchAt(row, ports.archive, at, stopAll));
    for await (const { sequence, key, head, facts } of batches) {
      if (signal.aborted || stopAll.aborted) return yield { kind: 'stopped', next: sequence };
      if (key === undefined || head === undefined || facts === undefined) {
        yield { kind: 'missing', sequence, done: ++done, of };
        continue;
      }
      const { bucket, region } = ports.archive;
      const { etag, size } = head;
      const message = notification({ bucket, region, key, etag, size, eventTime: facts.eventTime });
      await Promise.all(
        to.map(async ({ destination, queue }) => {
          if (destination.delivery === 'push')
            await ports.ledger.reset({ destination: destination.id, key }, stopAll);
          await queue.send(message, stopAll);
        }),
      );
      announced++;
      yield { kind: 'announced', sequence, events: facts.count, done: ++done, of };
    }
  } catch (error) {
    return yield {
      kind: 'stopped',
      next: sequences[done] ?? row.sequence,
      error: asOrglogError(error, 'storage'),
    };
  }
  yield { kind: 'done', announced };
}

/** A row keeps the days of 100 days with batches; of what is older the archive alone knows. */
function forgottenIn(row: CursorRow, window: ReplayWindow): ReplayPlan['forgotten'] {
  const oldest = oldestKept(row);
  if (oldest === undefined || oldest.sequence === 1) return undefined;
  const reaches = 'from' in window ? dayOf(window.from) < oldest.day : window.firstSequence < oldest.sequence;
  return reaches ? { last: oldest.sequence - 1, before: oldest.day } : undefined;
}

function rangeOf(row: CursorRow, window: ReplayWindow): SequenceRange {
  if ('from' in window) return sequencesOfDays(row, dayOf(window.from));
  const { firstSequence, lastSequence } = window;
  return { first: Math.max(1, firstSequence), last: Math.min(row.sequence, lastSequence) };
}
