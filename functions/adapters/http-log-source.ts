import type { Pool } from 'undici';
// Past undici's index, which loads fetch, caches and mocks along: docs/adr/0003-bundle.md.
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import * as z from 'zod/mini';
import { OrglogError } from '../core/errors.ts';
import type { CredentialSource, LogSource, PageAnswer, PageRequest } from '../core/ports.ts';
import type { LogFilters } from '../core/run.ts';
import { parseBaseUrl } from './base-url.ts';
import { basicAuthorization } from './basic-auth.ts';
import { type ExchangeOutcome, exchange } from './http-exchange.ts';
import { asPageAnswer } from './page-answer.ts';

export interface HttpLogSourceOptions {
  /** https (http to this machine only), with an optional path prefix: base-url.ts. */
  readonly baseUrl: string;
  /** Exactly as the provider has it, trailing slash and all (logs-v1.md, `orgUrl`). */
  readonly orgUrl: string;
  readonly filters?: LogFilters;
  readonly credentials: CredentialSource;
  /** Longest time for one page: connecting, headers and body together. Default 30,000. */
  readonly pageTimeoutMs?: number;
  /** Longest time for connecting, TLS included. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Largest page. Default 64 MiB. */
  readonly maxPageBytes?: number;
  /** Default `orglog`. */
  readonly userAgent?: string;
  /** Epoch milliseconds, to read a `Retry-After` that is a date. Default `Date.now`. */
  readonly now?: () => number;
}

type Settled = Exclude<ExchangeOutcome, { kind: 'aborted' }>;

/** An error's `detail` fits many times over; more is not waited for. */
const MAX_ERROR_BYTES = 64 * 1024;

/** logs-v1.md, "Permitted organization URLs". */
const PermittedOrgUrls = z.lazy(() => z.object({ orgUrls: z.array(z.string()) }));

/**
 * The provider's log interface over HTTP (logs-v1.md).
 *
 * Exactly one exchange per call, so no retry interceptor here: whether, when and with what limit a page is asked for
 * again depends on the run's time budget, on the status and on what was read before, which only the core knows; retries
 * at two levels would multiply. Redirects are not followed, and the `next` of a page is not looked at: both are URLs
 * from outside, and the credential would go with them. The answer is asked for uncompressed and handed on byte for byte.
 *
 * Calls are served one after another.
 *
 * Details of answers and failures name the provider's origin and never the query, the token or the credential, even
 * where the server echoes them.
 *
 * @throws OrglogError `configuration` for a base URL that is refused
 */
export function createHttpLogSource(options: HttpLogSourceOptions): LogSource & AsyncDisposable {
  return new HttpLogSource(options);
}

class HttpLogSource implements LogSource, AsyncDisposable {
  readonly #options: HttpLogSourceOptions;
  readonly #origin: string;
  readonly #pathPrefix: string;
  readonly #pool: Pool;
  readonly #pageTimeoutMs: number;
  readonly #maxPageBytes: number;

  constructor(options: HttpLogSourceOptions) {
    const baseUrl = parseBaseUrl(options.baseUrl);
    this.#options = options;
    this.#origin = baseUrl.origin;
    this.#pathPrefix = baseUrl.pathname === '/' ? '' : baseUrl.pathname;
    this.#pageTimeoutMs = options.pageTimeoutMs ?? 30_000;
    this.#maxPageBytes = options.maxPageBytes ?? 64 * 1024 * 1024;
    this.#pool = new UndiciPool(baseUrl.origin, {
      // Pages are read one after another. With two, the pool changes between them: slower, and a second handshake.
      connections: 1,
      pipelining: 1,
      // One exchange at a time gains nothing from HTTP/2, and there would be a second set of faults to know.
      allowH2: false,
      connectTimeout: options.connectTimeoutMs ?? 10_000,
      // The one timer of exchange() watches the whole page.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async readPage(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
    const query = new URLSearchParams({ orgUrl: this.#options.orgUrl });
    if (request.token !== undefined) query.set('nextToken', request.token);
    query.set('limit', String(request.limit));
    for (const [name, value] of Object.entries(this.#options.filters ?? {})) {
      if (value !== undefined) query.set(name, value);
    }
    const { outcome, secrets } = await this.#get(
      `/logs/v1/orgLogs?${query}`,
      request.freshCredential,
      signal,
    );
    return asPageAnswer(outcome, {
      origin: this.#origin,
      pageTimeoutMs: this.#pageTimeoutMs,
      maxPageBytes: this.#maxPageBytes,
      secrets: [...secrets, request.token ?? ''],
      now: this.#options.now ?? Date.now,
    });
  }

  async permittedOrgUrls(signal: AbortSignal): Promise<readonly string[] | undefined> {
    let outcome: Settled;
    try {
      ({ outcome } = await this.#get('/logs/v1/orgUrls', false, signal));
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
    if (outcome.kind !== 'answer' || outcome.status !== 200) return undefined;
    try {
      return PermittedOrgUrls.safeParse(JSON.parse(outcome.body.toString('utf8'))).data?.orgUrls;
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }

  /** Rejects when the signal fires or the credential cannot be read or sent. */
  async #get(
    pathAndQuery: string,
    fresh: boolean,
    signal: AbortSignal,
  ): Promise<{ outcome: Settled; secrets: string[] }> {
    if (signal.aborted) throw this.#timeOut(signal);
    const credential = await this.#options.credentials.get({ fresh }, signal);
    const authorization = basicAuthorization(credential);
    const outcome = await exchange(
      this.#pool,
      {
        path: `${this.#pathPrefix}${pathAndQuery}`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization,
          'user-agent': this.#options.userAgent ?? 'orglog',
        },
      },
      { timeoutMs: this.#pageTimeoutMs, maxBytes: this.#maxPageBytes, maxErrorBytes: MAX_ERROR_BYTES },
      signal,
    );
    if (outcome.kind === 'aborted') throw this.#timeOut(signal);
    // Without its padding, so that it is found however an echo cuts it off.
    const basicToken = authorization.replace(/^Basic /, '').replace(/=+$/, '');
    return { outcome, secrets: [credential.password, basicToken] };
  }

  #timeOut(signal: AbortSignal): OrglogError {
    return new OrglogError(
      'time-out',
      `Reading from ${this.#origin} was aborted: the run's time is over, or it was asked to stop. The next run goes on from here.`,
      { cause: signal.reason },
    );
  }
}
