import { OrglogError } from '../core/errors.ts';
import type { RunContext } from '../core/run.ts';

/** Before the function's end, for telemetry and the way out. */
const LAST_MS = 2_000;
/** Before that, for the last batch's put, commit, announcement and release: 8 to 16 MiB, retries included. */
const RESERVE_MS = 25_000;

export interface TimeGiven {
  readonly now: number;
  /** What Lambda leaves this invocation. */
  readonly remainingMs: number;
  readonly leaseMs: number;
}

export type TimeBudget = Pick<RunContext, 'readUntil' | 'stopReading' | 'signal'> & Disposable;

/**
 * Divides the time of one invocation: reading, then 25 s (a third of it, where that is less) to make the last batch
 * last, then 2 s (at most a tenth) to leave. Disposing stops its timers.
 *
 * @throws OrglogError `configuration` when the lease would end before the function: two runs would then write at once
 */
export function timeBudget({ now, remainingMs, leaseMs }: TimeGiven): TimeBudget {
  if (leaseMs <= remainingMs) {
    throw new OrglogError(
      'configuration',
      `the function may go on for ${remainingMs} ms, but a lease lasts ${leaseMs} ms (ORGLOG_LEASE_MS): make the time-out shorter than the lease`,
    );
  }
  const everythingMs = remainingMs - Math.min(LAST_MS, remainingMs / 10);
  const readingMs = everythingMs - Math.min(RESERVE_MS, remainingMs / 3);
  const reading = new AbortController();
  const everything = new AbortController();
  const timers = [
    setTimeout(() => reading.abort(timeUp('to read in')), readingMs),
    setTimeout(() => everything.abort(timeUp('left')), everythingMs),
  ];
  return {
    readUntil: now + readingMs,
    stopReading: reading.signal,
    signal: everything.signal,
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function timeUp(what: string): OrglogError {
  return new OrglogError('time-out', `the function has no time ${what}; the next run goes on`);
}
