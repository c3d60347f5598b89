import { dayOf } from '../keys.ts';
import type { CursorRow, Gap } from '../ports.ts';
import { batchesOf, sequencesOfDays } from './batches.ts';
import { timesOf } from './event-times.ts';
import type { Deployment } from './ports.ts';

const HOUR_MS = 3_600_000;

/** One hour of a cursor's past. */
export interface HistoryHour {
  /** Epoch ms of its start, on the hour in UTC. */
  readonly at: number;
  /** Events that happened in it; a batch's are taken to have come evenly between its first and its newest one. */
  readonly events: number;
  /** Batches committed in it. */
  readonly batches: number;
  /** The longest that a batch committed in it came after its newest event; absent where none was committed. */
  readonly lagMs?: number;
}

export interface History {
  readonly org: string;
  readonly stream: string;
  /** Without a hole, oldest first. */
  readonly hours: readonly HistoryHour[];
  /** Those that reach into the hours, without their tokens. */
  readonly gaps: readonly Pick<Gap, 'from' | 'to' | 'reason'>[];
  /** Batches that could not be counted: their objects are gone, or their metadata is not ours. */
  readonly unknown: number;
}

export type HistoryStep =
  | { readonly kind: 'progress'; readonly looked: number; readonly of: number }
  | { readonly kind: 'history'; readonly history: History };

/**
 * What a cursor collected in the hours from `from` to `to` (epoch ms), by the metadata of the batches committed since
 * `from`: one HEAD each.
 */
export async function* historyOf(
  { archive }: Pick<Deployment, 'archive'>,
  row: CursorRow,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): AsyncGenerator<HistoryStep> {
  const start = hourOf(from);
  const hours = Array.from({ length: Math.max(0, Math.ceil((to - start) / HOUR_MS)) }, () => ({
    events: 0,
    batches: 0,
    lagMs: -1,
  }));
  const range = sequencesOfDays(row, dayOf(start));
  const of = Math.max(0, range.last - range.first + 1);
  let [looked, unknown] = [0, 0];
  for await (const { facts } of batchesOf(row, archive, range, signal)) {
    looked++;
    if (facts === undefined) unknown++;
    else {
      const { first, last } = timesOf(facts);
      const committed = hours[index(facts.eventTime, start)];
      if (committed !== undefined) {
        committed.batches++;
        if (facts.last !== undefined)
          committed.lagMs = Math.max(committed.lagMs, facts.eventTime - facts.last, 0);
      }
      const [begin, end] = [Math.max(0, index(first, start)), Math.min(hours.length - 1, index(last, start))];
      for (let at = begin; at <= end; at++) {
        const hour = hours[at];
        const hourStart = start + at * HOUR_MS;
        const within = Math.min(last, hourStart + HOUR_MS) - Math.max(first, hourStart);
        if (hour !== undefined)
          hour.events += last === first ? facts.count : (facts.count * within) / (last - first);
      }
    }
    yield { kind: 'progress', looked, of };
  }
  const gaps = row.gaps
    .filter((gap) => gap.to >= start && gap.from <= to)
    .map(({ from: since, to: until, reason }) => ({ from: since, to: until, reason }));
  const shown = hours.map(({ events, batches, lagMs }, at) => ({
    at: start + at * HOUR_MS,
    events: Math.round(events),
    batches,
    ...(lagMs >= 0 && { lagMs }),
  }));
  const { org, stream } = row;
  yield { kind: 'history', history: { org, stream, hours: shown, gaps, unknown } };
}

function hourOf(at: number): number {
  return at - (((at % HOUR_MS) + HOUR_MS) % HOUR_MS);
}

function index(at: number, start: number): number {
  return Math.floor((at - start) / HOUR_MS);
}
