import UndiciPool from 'undici/lib/dispatcher/pool.js';
import type { ProviderProbe } from '../../core/operate/check-provider.ts';
import { parseBaseUrl } from '../base-url.ts';
import { failureInWords } from '../failure-words.ts';
import { exchange } from '../http-exchange.ts';

export interface ProbeOptions {
  /** Longest time, connecting included. Default 10,000. */
  readonly timeoutMs?: number;
  /** Epoch ms. Default `Date.now`. */
  readonly now?: () => number;
}

const MAX_BYTES = 64 * 1024;

/**
 * Asks the log interface which orgUrls it permits, without a credential: any answer tells that it is there, and what
 * time it is. Never rejects but for a base URL that is refused.
 *
 * @throws OrglogError `configuration`
 */
export async function probeProvider(
  baseUrl: string,
  { timeoutMs = 10_000, now = Date.now }: ProbeOptions,
  signal: AbortSignal,
): Promise<ProviderProbe> {
  const { origin, pathname } = parseBaseUrl(baseUrl);
  const pool = new UndiciPool(origin, { connections: 1, connectTimeout: timeoutMs, allowH2: false });
  try {
    const sentAt = now();
    const outcome = await exchange(
      pool,
      {
        path: `${pathname === '/' ? '' : pathname}/logs/v1/orgUrls`,
        headers: { accept: 'application/json', 'user-agent': 'orglog' },
      },
      { timeoutMs, maxBytes: MAX_BYTES, maxErrorBytes: MAX_BYTES },
      signal,
    );
    const receivedAt = now();
    switch (outcome.kind) {
      case 'answer': {
        const { date } = outcome.headers;
        const serverAt = typeof date === 'string' ? Date.parse(date) : Number.NaN;
        const told = Number.isFinite(serverAt) ? { serverAt } : {};
        return { kind: 'answer', status: outcome.status, sentAt, receivedAt, ...told };
      }
      case 'broken':
        return { kind: 'failed', detail: failureInWords(outcome.error) };
      case 'aborted':
        return { kind: 'failed', detail: 'given up' };
      case 'too-large':
        return { kind: 'failed', detail: `an answer of over ${MAX_BYTES} bytes` };
      case 'too-slow':
      case 'not-connected':
        return { kind: 'failed', detail: `no answer within ${timeoutMs / 1000} s` };
    }
  } finally {
    await pool.destroy();
  }
}
