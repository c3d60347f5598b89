import { OrglogError } from '../functions/core/errors.ts';

/** What a port does first: rejects once the run's signal has fired. `what` begins the sentence. */
export function throwIfAborted(signal: AbortSignal, what: string): void {
  if (!signal.aborted) return;
  const message = `${what} was given up: the time for it is over, or the program was asked to stop`;
  throw new OrglogError('time-out', message, { cause: signal.reason });
}
