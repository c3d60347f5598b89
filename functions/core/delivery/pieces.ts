import type { SendOutcome } from '../ports-delivery.ts';
import type { PendingEvent } from './requests.ts';

/** A request's events in halves, or with the culprit by itself. */
export function parts(
  piece: readonly PendingEvent[],
  culprit: number | undefined,
): (readonly PendingEvent[])[] {
  const [from, to] =
    culprit === undefined || culprit >= piece.length
      ? [piece.length >> 1, piece.length >> 1]
      : [culprit, culprit + 1];
  return [piece.slice(0, from), piece.slice(from, to), piece.slice(to)].filter((part) => part.length > 0);
}

/** Whether an outcome leaves events to be sent again, and why. */
export function troubleOf(
  outcome: SendOutcome,
): { readonly reason: string; readonly retryAfterMs?: number } | undefined {
  if (outcome.kind === 'retry') {
    const { reason, retryAfterMs } = outcome;
    return { reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (outcome.kind !== 'per-event') return undefined;
  const { events, retryAfterMs } = outcome;
  const first = events.find((event) => event.kind === 'retry');
  if (first === undefined) return undefined;
  return { reason: first.reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
