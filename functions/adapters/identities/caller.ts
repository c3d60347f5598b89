import type { Pool } from 'undici';
// Past undici's index: docs/adr/0003-bundle.md.
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import { backoffMs } from '../../core/backoff.ts';
import { OrglogError } from '../../core/errors.ts';
import type { Clock, CredentialSource } from '../../core/ports.ts';
import { parseBaseUrl } from '../base-url.ts';
import { basicAuthorization } from '../basic-auth.ts';
import { MAX_DETAIL, oneLine } from '../error-detail.ts';
import { exchange } from '../http-exchange.ts';
import { redactor } from '../redact.ts';
import { systemClock } from '../system-clock.ts';
import { Misfit, NotJson } from './answers.ts';
import type { Operation } from './operation.ts';
import { refusalOf } from './refusals.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export interface CallerOptions {
  /** https (http to this machine only), with an optional path prefix: base-url.ts. */
  readonly baseUrl: string;
  readonly credentials: CredentialSource;
  /** How the deployment spells the identifier's field. Default `serviceUid`. */
  readonly uidField?: string;
  /** Longest time for one exchange: connecting, headers and body together. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Longest time for connecting, TLS included. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** As many exchanges are under way at once; more calls wait. Default 2. */
  readonly connections?: number;
  /** How often one operation is tried, the repetition with a credential read anew not counted. Default 4. */
  readonly maxAttempts?: number;
  /** From the start of an operation: a wait that would end later is not begun. Default 60,000. */
  readonly retryBudgetMs?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Uniform in [0, 1), for jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Default `orglog`. */
  readonly userAgent?: string;
}

/** A page of 50 identities with all their collections fits many times over. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** A 409 names identities, a 422 fields. */
const MAX_ERROR_BYTES = 256 * 1024;

interface Judged {
  readonly verdict: Verdict;
  readonly redact: (text: string) => string;
}

/** Carries operations out: connections, credential, what is tried again and what is not. */
export class Caller implements AsyncDisposable {
  readonly #options: CallerOptions;
  readonly #origin: string;
  readonly #pathPrefix: string;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  /** @throws OrglogError `configuration` for a base URL that is refused */
  constructor(options: CallerOptions) {
    const url = parseBaseUrl(options.baseUrl);
    this.#options = options;
    this.#origin = url.origin;
    this.#pathPrefix = url.pathname === '/' ? '' : url.pathname;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.requestTimeoutMs ?? 30_000;
    this.#pool = new UndiciPool(url.origin, {
      connections: options.connections ?? 2,
      pipelining: 1,
      allowH2: false,
      connectTimeout: options.connectTimeoutMs ?? 10_000,
      // The one timer of exchange() watches the whole of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Carry it out, again where that is safe: after trouble that may pass, when the operation is idempotent or certainly
   * did not happen (verdict.ts); and once after a 401, which says that it did not, with the credential read past every
   * cache. A 404 ends a deletion well when an earlier try may have been the one that deleted.
   *
   * @throws OrglogError only, as IdentitiesApi says
   */
  async call<Result>(operation: Operation<Result>, signal: AbortSignal): Promise<Result> {
    const startedAt = this.#clock.now();
    let reread = false;
    let fresh = false;
    let mayHaveHappened = false;
    for (let attempt = 1; ; attempt++) {
      const { verdict, redact } = await this.#tryOnce(operation, fresh, signal);
      fresh = false;
      if (verdict.kind === 'done') {
        const read = this.#read(operation, verdict, redact);
        if (read.kind === 'result') return read.result;
        mayHaveHappened = true;
        await this.#waitToRetry(operation, attempt, startedAt, read, signal);
      } else if (verdict.kind === 'trouble') {
        mayHaveHappened ||= verdict.mayHaveHappened;
        await this.#waitToRetry(operation, attempt, startedAt, verdict, signal);
      } else {
        const { refusal } = verdict;
        if (refusal.status === 401 && !reread) {
          reread = true;
          fresh = true;
          attempt--;
        } else if (refusal.status === 404 && operation.method === 'DELETE' && mayHaveHappened) {
          return operation.read(refusal.body);
        } else {
          const uidField = this.#options.uidField ?? 'serviceUid';
          throw refusalOf(refusal, operation, { origin: this.#origin, uidField, redact });
        }
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }

  async #tryOnce(operation: Operation<unknown>, fresh: boolean, signal: AbortSignal): Promise<Judged> {
    if (signal.aborted) throw this.#givenUp(operation, signal, false);
    const credential = await this.#options.credentials.get({ fresh }, signal);
    const authorization = basicAuthorization(credential);
    const { method, path, body } = operation;
    const outcome = await exchange(
      this.#pool,
      {
        method,
        path: `${this.#pathPrefix}${path}`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization,
          'user-agent': this.#options.userAgent ?? 'orglog',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
      },
      { timeoutMs: this.#timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxErrorBytes: MAX_ERROR_BYTES },
      signal,
    );
    if (outcome.kind === 'aborted') throw this.#givenUp(operation, signal, true);
    // Without its padding, so that it is found however an echo cuts it off.
    const redact = redactor([credential.password, authorization.replace(/^Basic |=+$/g, '')]);
    const verdict = verdictOn(outcome, {
      timeoutMs: this.#timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      redact,
      now: this.#clock.now(),
    });
    return { verdict, redact };
  }

  /** A body that is no JSON may be whole the next time; one that is JSON of another shape will not change. */
  #read<Result>(
    operation: Operation<Result>,
    { status, body }: Extract<Verdict, { kind: 'done' }>,
    redact: (text: string) => string,
  ): { kind: 'result'; result: Result } | { kind: 'trouble'; reason: string; mayHaveHappened: true } {
    try {
      return { kind: 'result', result: operation.read(body) };
    } catch (error) {
      if (error instanceof NotJson) {
        const reason = `it answered ${status} with a body that is no JSON`;
        return { kind: 'trouble', reason, mayHaveHappened: true };
      }
      if (!(error instanceof Misfit)) throw error;
      throw new OrglogError(
        'unavailable',
        `The answer of ${this.#origin} to the request to ${operation.does} is not what its document says: ${oneLine(redact(error.message), MAX_DETAIL)}.${doubt(operation)} Is this the identity records API, version 1, and uidField right?`,
      );
    }
  }

  async #waitToRetry(
    operation: Operation<unknown>,
    attempt: number,
    startedAt: number,
    trouble: Omit<Extract<Verdict, { kind: 'trouble' }>, 'kind'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { maxAttempts = 4, retryBudgetMs = 60_000, random = Math.random } = this.#options;
    const delayMs = backoffMs(attempt, random(), trouble.retryAfterMs);
    const enough = attempt >= maxAttempts;
    const tooLate = this.#clock.now() + delayMs > startedAt + retryBudgetMs;
    if (operation.idempotent || !trouble.mayHaveHappened) {
      if (!enough && !tooLate) return await this.#clock.sleep(delayMs, signal);
      const why = enough
        ? `${attempt} tries`
        : `waiting ${Math.ceil(delayMs / 1000)} s more would be too long`;
      throw new OrglogError(
        'unavailable',
        `${this.#origin} could not be had to ${operation.does} (${why}): ${trouble.reason}. Try again later.`,
      );
    }
    throw new OrglogError(
      'unavailable',
      `${this.#origin} could not be had to ${operation.does}: ${trouble.reason}.${doubt(operation)}`,
    );
  }

  #givenUp(operation: Operation<unknown>, signal: AbortSignal, sent: boolean): OrglogError {
    return new OrglogError(
      'time-out',
      `The request to ${operation.does} at ${this.#origin} was given up: the time for it is over, or the program was asked to stop.${sent ? doubt(operation) : ''}`,
      { cause: signal.reason },
    );
  }
}

/** What is not known after a request that may have been carried out. */
function doubt({ method, idempotent }: Operation<unknown>): string {
  if (method === 'GET') return '';
  const again = idempotent ? 'doing it again does no harm' : 'look at what is there before doing it again';
  return ` It may all the same have been done: ${again}.`;
}
