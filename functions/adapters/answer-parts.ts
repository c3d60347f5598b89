import { STATUS_CODES } from 'node:http';
import type { SendOutcome } from '../core/ports-delivery.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { SinkAnswer } from './sink-connection.ts';

type Answer = Extract<SinkAnswer, { kind: 'answer' }>;

/** An answer's JSON; `undefined` where it is none: a proxy may answer in a sink's place. */
export function jsonOf({ body }: Answer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `503 Service Unavailable` */
export function statusInWords(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** To be sent again, when the sink says so. @param now epoch ms, what a date is measured against */
export function again(reason: string, { headers }: Answer, now: number): SendOutcome {
  const retryAfter = headers['retry-after'];
  const retryAfterMs = parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, now);
  return { kind: 'retry', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A request that is too large: in pieces, where it has any. */
export function tooLarge(reason: string, count: number): SendOutcome {
  return count === 1 ? { kind: 'rejected', reason } : { kind: 'split', reason };
}
