const BASE_MS = 30_000;

/** The longest a message that failed stays hidden. */
export const LONGEST_HIDING_MS = 15 * 60_000;

/**
 * How long a message stays hidden after its delivery failed: 30 s, doubled with each receive, up to 15 minutes. Up to a
 * twentieth less, so that messages which failed together do not come back together; not more, or the queue's receive
 * limit (400) would be used up before four days are (design §5).
 *
 * @param receiveCount 1 at the first delivery
 * @param random uniform in [0, 1)
 */
export function hidingMs(receiveCount: number, random: number, retryAfterMs = 0): number {
  const exponent = Math.min(receiveCount - 1, 10);
  const backoffMs = Math.min(LONGEST_HIDING_MS, BASE_MS * 2 ** exponent) * (1 - random / 20);
  return Math.round(Math.min(LONGEST_HIDING_MS, Math.max(backoffMs, retryAfterMs)));
}
