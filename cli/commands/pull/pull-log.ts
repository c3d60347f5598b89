import { asOrglogError, OrglogError } from '../../../functions/core/errors.ts';
import { type FetcherPorts, PageFetcher, TokenRefused } from '../../../functions/core/fetch-page.ts';
import { ReadAhead, type Step } from '../../../functions/core/read-ahead.ts';
import type { LogFilters } from '../../../functions/core/run.ts';
import { Tally } from '../../../functions/core/tally.ts';
import { type LineSink, ReaderGone } from './line-sink.ts';

export interface PullOptions extends FetcherPorts {
  readonly baseUrl: string;
  readonly orgUrl: string;
  readonly filters: LogFilters;
  /** Events a page, 1–1000. */
  readonly limit: number;
  readonly fromToken: string | undefined;
  readonly sink: LineSink;
  /** Told after each page. */
  readonly onProgress: (soFar: Pulled) => void;
}

/** What was handed over. */
export interface Pulled {
  readonly events: number;
  readonly bytes: number;
  readonly pages: number;
  /** Goes on after what was handed over. Absent where the provider gave none. */
  readonly token?: string;
  /** Of the newest event, epoch ms. */
  readonly newestAt?: number;
}

/** `caught-up`: the log's end; `reader-gone`: nobody reads any more; `stopped`: as was wished. */
export type Ending =
  | { readonly kind: 'caught-up' | 'reader-gone' | 'stopped' }
  | { readonly kind: 'failed'; readonly error: OrglogError };

/** Pages wait for a slow reader up to here. */
const AHEAD_BYTES = 8 * 1024 * 1024;
const MAX_ATTEMPTS = 5;

/** Reads the log to its end and hands over its lines, each page whole; the token follows what was handed over. */
export async function pullLog(
  options: PullOptions,
  stop: AbortSignal,
): Promise<{ readonly pulled: Pulled; readonly ending: Ending }> {
  const { fromToken, filters, clock, sink, onProgress } = options;
  let pulled: Pulled = { events: 0, bytes: 0, pages: 0, ...(fromToken && { token: fromToken }) };
  await using reader = new ReadAhead({
    fetcher: fetcherOf(options),
    from: fromToken,
    filtered: Object.keys(filters).length > 0,
    aheadBytes: AHEAD_BYTES,
    now: () => clock.now(),
    stop,
  });
  try {
    for (;;) {
      const step = await reader.take();
      if (step.kind === 'stopped') return { pulled, ending: step };
      if (step.kind === 'failed') throw step.error;
      await sink.write(step.page.lines);
      pulled = after(pulled, step);
      onProgress(pulled);
      if (step.follows === 'read-on') continue;
      if (step.follows === 'not-moving' && step.full) throw stuck(pulled.token);
      return { pulled, ending: { kind: 'caught-up' } };
    }
  } catch (error) {
    if (error instanceof ReaderGone) return { pulled, ending: { kind: 'reader-gone' } };
    return { pulled, ending: { kind: 'failed', error: inWords(error) } };
  }
}

function fetcherOf(options: PullOptions): PageFetcher {
  const { baseUrl, orgUrl, filters, limit } = options;
  const org = URL.parse(orgUrl)?.hostname ?? orgUrl;
  const settings = { org, baseUrl, orgUrl, filters, limit, maxAttempts: MAX_ATTEMPTS };
  return new PageFetcher(options, settings, { readUntil: Number.POSITIVE_INFINITY }, new Tally());
}

function after({ events, bytes, pages, ...before }: Pulled, step: Extract<Step, { kind: 'page' }>): Pulled {
  const { count, lines, token = before.token, newestAt = before.newestAt } = step.page;
  return {
    events: events + count,
    bytes: bytes + lines.length,
    pages: pages + 1,
    ...(token !== undefined && { token }),
    ...(newestAt !== undefined && { newestAt: Math.max(newestAt, before.newestAt ?? newestAt) }),
  };
}

function stuck(token: string | undefined): OrglogError {
  return new OrglogError(
    'log-stuck',
    `the provider sent a full page, and no token that leads past it${token === undefined ? '' : ': going on from the token below reads it again'}. Ask the provider about it`,
  );
}

function inWords(error: unknown): OrglogError {
  if (!(error instanceof TokenRefused)) return asOrglogError(error, 'unavailable');
  const likely = error.certain ? 'it is' : 'it may be';
  return new OrglogError(
    'token-refused',
    `${error.message.replace('stored token', 'token')}: ${likely} older than the provider remembers, or of another log. Without --from-token, reading starts an hour ago`,
  );
}
