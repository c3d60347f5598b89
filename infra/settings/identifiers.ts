import { createHash } from 'node:crypto';

/**
 * Identifiers of organizations, destinations and shared credentials. Stricter than the collector's own SAFE_ID
 * (functions/core/keys.ts), because they become parts of names in AWS too: queue and function names allow no dot, and
 * two ids that differ by case only would be two rows of one table but one bucket prefix to a careless reader. At most
 * 32 characters, so that `<name>-collect-<id>` fits the 64 characters of a function's name.
 */
export const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
export const AN_ID =
  'lower-case letters, digits and inner hyphens, at most 32 characters, such as "institution"';

/** Prefix of stacks and named resources: `<name>-archive-<account>-<region>` must fit the 63 of a bucket's name. */
export const NAME = /^[a-z](?:[a-z0-9-]{0,14}[a-z0-9])?$/;
export const A_NAME =
  'lower-case letters, digits and inner hyphens, at most 16 characters, the first a letter, such as "orglog"';

/** A number in [0, below) that is an id's for good: whatever else is added or removed, it stays. */
export function stableNumber(id: string, below: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % below;
}
