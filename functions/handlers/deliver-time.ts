import type { DeliveryContext } from '../core/delivery/delivery.ts';
import { OrglogError } from '../core/errors.ts';

/** Before the function's end, for telemetry and the way out. */
const LAST_MS = 2_000;
/** Before that, for the request under way (30 s by default), its record, and what is put back into the queue. */
const RESERVE_MS = 40_000;

/**
 * Divides the time of one invocation: sending, then 40 s (a third of it, where that is less) to end what was begun, then
 * 2 s (at most a tenth) to leave. Disposing stops its timer.
 */
export function deliveryTime(now: number, remainingMs: number): DeliveryContext & Disposable {
  const everythingMs = remainingMs - Math.min(LAST_MS, remainingMs / 10);
  const everything = new AbortController();
  const timer = setTimeout(
    () =>
      everything.abort(
        new OrglogError('time-out', 'the function has no time left; the next delivery goes on'),
      ),
    everythingMs,
  );
  return {
    sendUntil: now + everythingMs - Math.min(RESERVE_MS, remainingMs / 3),
    signal: everything.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
