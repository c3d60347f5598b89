import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Pool } from 'undici';
// Past undici's index: docs/adr/0003-bundle.md.
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import { OrglogError } from '../core/errors.ts';
import type { EventStream, SinkCredentials, SinkRequest } from '../core/ports-delivery.ts';
import { parseBaseUrl } from './base-url.ts';
import { failureInWords } from './failure-words.ts';
import { exchange, type ResponseHeaders } from './http-exchange.ts';

export interface SinkConnectionOptions {
  /** https (http to this machine only), with an optional path prefix. */
  readonly url: string;
  readonly credentials: SinkCredentials;
  /** PEM of the certification authority to trust in place of the public ones. Certificates are always verified. */
  readonly ca?: string;
  /** From the call to the last byte. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** As many requests are under way at once. Default 4. */
  readonly connections?: number;
}

/** What a sink said, or why it did not. */
export type SinkAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly body: Buffer;
    }
  | { readonly kind: 'broken'; readonly reason: string };

/** A `_bulk` answer of thousands of items fits many times over. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

const compress = promisify(gzip);

/** Most of what gzip saves at a third of its usual price. */
const GZIP_LEVEL = constants.Z_BEST_SPEED;
/** Bytes zlib fills before it hands them over: a request of 1 MB fits, and costs one trip to its thread. */
const GZIP_CHUNK_BYTES = 128 * 1024;

/** These pieces as one request, compressed. */
export async function gzipped(
  pieces: readonly Uint8Array[],
  count: number,
  stream: EventStream,
): Promise<SinkRequest> {
  const [first, ...more] = pieces;
  const whole = first !== undefined && more.length === 0 ? first : Buffer.concat(pieces);
  const body = await compress(whole, { level: GZIP_LEVEL, chunkSize: GZIP_CHUNK_BYTES });
  return { body, count, stream };
}

/** The connections to one sink. Redirects are not followed: the credential would go along. */
export class SinkConnection implements AsyncDisposable {
  readonly origin: string;
  readonly #options: SinkConnectionOptions;
  readonly #pathPrefix: string;
  readonly #pool: Pool;

  /** @throws OrglogError `configuration` for a URL that is refused */
  constructor(options: SinkConnectionOptions) {
    const url = parseBaseUrl(options.url);
    this.#options = options;
    this.origin = url.origin;
    this.#pathPrefix = url.pathname === '/' ? '' : url.pathname;
    this.#pool = new UndiciPool(url.origin, {
      connections: options.connections ?? 4,
      pipelining: 1,
      allowH2: false,
      connect: {
        timeout: options.connectTimeoutMs ?? 10_000,
        rejectUnauthorized: true,
        ...(options.ca !== undefined && { ca: options.ca }),
      },
      // The one timer of exchange() watches the whole of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * One POST, one answer. Where the sink refuses the credential, the secret is read once more past every cache, and
   * where it was changed meanwhile, the request is sent once more.
   *
   * Rejects only when the signal fires or the credential cannot be read.
   */
  async post(
    path: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SinkAnswer> {
    const { credentials } = this.#options;
    const authorization = await credentials.authorization({ fresh: false }, signal);
    const answer = await this.#exchange(path, body, { ...headers, authorization }, signal);
    if (answer.kind !== 'answer' || (answer.status !== 401 && answer.status !== 403)) return answer;
    const changed = await credentials.authorization({ fresh: true }, signal);
    if (changed === authorization) return answer;
    return await this.#exchange(path, body, { ...headers, authorization: changed }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }

  async #exchange(
    path: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SinkAnswer> {
    const timeoutMs = this.#options.requestTimeoutMs ?? 30_000;
    const outcome = await exchange(
      this.#pool,
      {
        method: 'POST',
        path: `${this.#pathPrefix}${path}`,
        headers: { ...headers, 'user-agent': 'orglog' },
        body,
      },
      { timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxErrorBytes: MAX_ERROR_BYTES },
      signal,
    );
    switch (outcome.kind) {
      case 'answer':
        return outcome;
      case 'too-large':
        return { kind: 'broken', reason: `${this.origin} sent an answer of over ${MAX_ANSWER_BYTES} bytes` };
      case 'too-slow':
        return { kind: 'broken', reason: `${this.origin} did not answer within ${timeoutMs} ms` };
      case 'not-connected':
        return {
          kind: 'broken',
          reason: `${this.origin}: no connection came about within ${timeoutMs} ms`,
        };
      case 'broken':
        return { kind: 'broken', reason: `${this.origin}: ${failureInWords(outcome.error)}` };
      case 'aborted':
        throw new OrglogError(
          'time-out',
          `Sending to ${this.origin} was given up: the function's time is over, or it was asked to stop. The next delivery sends it again.`,
          { cause: signal.reason },
        );
    }
  }
}
