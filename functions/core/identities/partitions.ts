import { hash } from 'node:crypto';

/** More would be more objects than identities in all but the largest populations. */
const MOST = 4096;

/**
 * How many partitions hold a population: a power of two. Never less than half of what the last snapshot has, whatever
 * the provider says it holds: one partition of this walk is compared with those of the last that lie in it, in memory.
 *
 * @param size identities that a partition should hold
 */
export function partitionsFor(identities: number, size: number, previous: number): number {
  let partitions = Math.max(1, previous / 2);
  while (partitions < identities / size && partitions < MOST) partitions *= 2;
  return partitions;
}

/** What an identity is sorted and partitioned by, 64 hexadecimal digits: no provider's collation has a say in it. */
export function hashOf(serviceUid: string): string {
  return hash('sha256', serviceUid, 'hex');
}

/** By the leading bits of the hash; `partitions` is a power of two, at most 2^16. */
export function partitionOf(hash: string, partitions: number): number {
  return Math.floor((Number.parseInt(hash.slice(0, 4), 16) * partitions) / 0x1_0000);
}

/** Which of `others` partitions share identities with `partition` of `partitions`. */
export function intersecting(partition: number, partitions: number, others: number): readonly number[] {
  const first = Math.floor((partition * others) / partitions);
  const count = Math.max(1, others / partitions);
  return Array.from({ length: count }, (_, i) => first + i);
}

/** Sorts by hash, then identifier. */
export function inHashOrder<T extends { readonly serviceUid: string }>(items: Iterable<T>): readonly T[] {
  return Array.from(items, (item) => ({ item, hash: hashOf(item.serviceUid) }))
    .sort((a, b) => compare(a.hash, b.hash) || compare(a.item.serviceUid, b.item.serviceUid))
    .map(({ item }) => item);
}

/** By code units: the same everywhere. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
