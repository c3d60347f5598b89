const BASE_MS = 1_000;
const CAP_MS = 30_000;

/**
 * How long to wait before trying again: exponential with full jitter (half of it fixed, so that nothing hammers), and
 * never less than the provider asked for (`Retry-After`).
 *
 * @param attempt how many tries have failed: 1 after the first
 * @param random uniform in [0, 1)
 */
export function backoffMs(attempt: number, random: number, retryAfterMs = 0): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  return Math.max(retryAfterMs, Math.round(ceiling * (0.5 + random / 2)));
}
