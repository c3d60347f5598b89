import type { PageAnswer } from '../core/ports.ts';
import { describeErrorBody, MAX_DETAIL, oneLine } from './error-detail.ts';
import { failureInWords } from './failure-words.ts';
import type { ExchangeOutcome, ResponseHeaders } from './http-exchange.ts';
import { redactor } from './redact.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface AnswerContext {
  /** Of the provider: what details name, since the rest of the URL holds the token. */
  readonly origin: string;
  readonly pageTimeoutMs: number;
  readonly maxPageBytes: number;
  /** What was sent and must not come back in a detail. */
  readonly secrets: readonly string[];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What an exchange that was not aborted means to the core. */
export function asPageAnswer(
  outcome: Exclude<ExchangeOutcome, { kind: 'aborted' }>,
  context: AnswerContext,
): PageAnswer {
  const { origin, pageTimeoutMs, maxPageBytes } = context;
  switch (outcome.kind) {
    case 'answer':
      return outcome.status === 200 ? asBody(outcome, context) : asStatus(outcome, context);
    case 'too-large':
      return { kind: 'too-large', detail: `${origin} sent a page of over ${maxPageBytes} bytes` };
    case 'too-slow':
      return { kind: 'too-slow', detail: `${origin} took over ${pageTimeoutMs} ms for a page` };
    case 'not-connected':
      // A smaller page would not help: this is no `too-slow`.
      return { kind: 'broken', detail: `${origin}: no connection came about within ${pageTimeoutMs} ms` };
    case 'broken':
      return { kind: 'broken', detail: `${origin}: ${failureInWords(outcome.error)}` };
  }
}

type Answer = Extract<ExchangeOutcome, { kind: 'answer' }>;

/** Media type and charset fit; a header can be a thousand times as long. */
const MAX_CONTENT_TYPE = 100;

function asBody({ headers, body }: Answer, { origin, secrets }: AnswerContext): PageAnswer {
  const redact = redactor(secrets);
  const encoding = foreignEncoding(headers);
  if (encoding === undefined) {
    // Errors name it.
    const contentType = oneLine(redact(first(headers, 'content-type') ?? ''), MAX_CONTENT_TYPE);
    return { kind: 'body', body, contentType };
  }
  const named = oneLine(redact(encoding), 40);
  return {
    kind: 'broken',
    detail: `${origin} answered in content-encoding ${named}, though identity was asked for`,
  };
}

function asStatus({ status, headers, body }: Answer, { origin, secrets, now }: AnswerContext): PageAnswer {
  const redact = redactor(secrets);
  const retryAfterMs = parseRetryAfter(first(headers, 'retry-after'), now());
  const { detail, namesToken } =
    status >= 300 && status < 400
      ? { detail: redirectInWords(first(headers, 'location'), origin, redact), namesToken: false }
      : describeErrorBody(status, foreignEncoding(headers) === undefined ? body : Buffer.alloc(0), redact);
  return {
    kind: 'status',
    status,
    detail,
    namesToken: status === 422 && namesToken,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function redirectInWords(
  location: string | undefined,
  origin: string,
  redact: (text: string) => string,
): string {
  const where = redact(originOf(location, origin) ?? 'no readable address');
  return oneLine(
    `redirects are not followed (to ${where}): the base URL must be the provider's own address`,
    MAX_DETAIL,
  );
}

/** Of a URL without an origin (`data:…`), its scheme. */
function originOf(location: string | undefined, base: string): string | undefined {
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return url.origin === 'null' ? url.protocol : url.origin;
}

function foreignEncoding(headers: ResponseHeaders): string | undefined {
  const encoding = first(headers, 'content-encoding');
  return encoding === undefined || encoding.toLowerCase() === 'identity' ? undefined : encoding;
}

function first(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
