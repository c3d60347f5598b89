import type { BatchFacts } from '../batch-facts.ts';

type Times = Pick<BatchFacts, 'first' | 'last' | 'eventTime'>;

/** When a batch's events happened, as far as its metadata tells: epoch ms, the commit's where no event's is known. */
export function timesOf({ first, last, eventTime }: Times): {
  readonly first: number;
  readonly last: number;
} {
  const from = first ?? last ?? eventTime;
  const to = last ?? from;
  return { first: Math.min(from, to), last: Math.max(from, to) };
}

/** Whether a batch can hold events of this stretch, both ends included. */
export function touches(facts: Times, from: number, to: number): boolean {
  const { first, last } = timesOf(facts);
  return first <= to && last >= from;
}

/**
 * How many of a batch's events lie in `from` ≤ time < `to`: exact where the batch lies wholly in or out, else its share
 * of the time between its first and its newest event, as if they came evenly. A batch of a run every 5 minutes covers
 * 5 minutes: that is the precision.
 */
export function eventsWithin(facts: Times & Pick<BatchFacts, 'count'>, from: number, to: number): number {
  const { first, last } = timesOf(facts);
  if (last === first) return first >= from && first < to ? facts.count : 0;
  const within = Math.min(last, to) - Math.max(first, from);
  return within <= 0 ? 0 : (facts.count * within) / (last - first);
}
