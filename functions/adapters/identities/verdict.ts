import { describeErrorBody } from '../error-detail.ts';
import { failureInWords } from '../failure-words.ts';
import type { ExchangeOutcome } from '../http-exchange.ts';
import { parseRetryAfter } from '../retry-after.ts';
import { isDocumented, type Refusal } from './refusals.ts';

/** What one exchange says about the operation. */
export type Verdict =
  | { readonly kind: 'done'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      /** It may pass. */
      readonly kind: 'trouble';
      readonly reason: string;
      /** False only where the operation was certainly not carried out. */
      readonly mayHaveHappened: boolean;
      readonly retryAfterMs?: number;
    };

export interface VerdictContext {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly redact: (text: string) => string;
  /** Epoch ms, what a `Retry-After` that is a date is measured against. */
  readonly now: number;
}

const DONE: ReadonlySet<number> = new Set([200, 201, 204]);

/**
 * Done, refused, or trouble that may pass. Of an operation in trouble only two things are known not to have happened:
 * one whose request never left (no connection), and one that was answered 429, which is said before any work. A 5xx may
 * come after the work as well as before it, 503 included: a gateway that lost its patience sends that too.
 */
export function verdictOn(
  outcome: Exclude<ExchangeOutcome, { kind: 'aborted' }>,
  { timeoutMs, maxBytes, redact, now }: VerdictContext,
): Verdict {
  switch (outcome.kind) {
    case 'not-connected':
      return trouble(`no connection came about within ${timeoutMs} ms`, false);
    case 'too-slow':
      return trouble(`it took over ${timeoutMs} ms`, true);
    case 'too-large':
      return trouble(`the answer is over ${maxBytes} bytes`, true);
    case 'broken':
      return trouble(failureInWords(outcome.error), outcome.sent);
    case 'answer': {
      const { status, body, headers } = outcome;
      if (DONE.has(status)) return { kind: 'done', status, body };
      const passes = status === 429 || status >= 500 || (status === 404 && !isDocumented(outcome));
      if (!passes) return { kind: 'refused', refusal: outcome };
      const retryAfter = headers['retry-after'];
      const retryAfterMs = parseRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, now);
      return {
        ...trouble(`${status}: ${describeErrorBody(status, body, redact).detail}`, status !== 429),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      };
    }
  }
}

function trouble(reason: string, mayHaveHappened: boolean): Extract<Verdict, { kind: 'trouble' }> {
  return { kind: 'trouble', reason, mayHaveHappened };
}
