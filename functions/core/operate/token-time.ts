const VERSION_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Epoch ms at which a token was issued, where it is a UUID of version 7 (RFC 9562, 5.7), as deployed providers give
 * them: some seconds after its event. A hint for a person, and nothing to decide by.
 */
export function tokenTime(token: string): number | undefined {
  const [, high, low] = VERSION_7.exec(token) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}
