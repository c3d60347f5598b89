/** Calls that are under way at once: few enough for one table partition and one bucket prefix. */
export const CALLS_AT_ONCE = 16;

/**
 * `work` on each item, at most `limit` begun ahead of whoever takes the results, which come in the items' order. A
 * failure waits behind the results before it; after it, or when the taker stops, nothing more is begun.
 */
export async function* mapAhead<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // Whoever takes it hears of it.
    result.catch(() => {});
    begun.push(result);
    if (begun.length >= limit) yield await (begun.shift() as Promise<R>);
  }
  for (const result of begun) yield await result;
}
