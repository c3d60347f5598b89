/**
 * `work` on each item, at most `limit` at once, results in the items' order. After a failure no more are begun, and it
 * is thrown once none is under way.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let failure: { readonly error: unknown } | undefined;
  let next = 0;
  async function worker(): Promise<void> {
    while (next < items.length && failure === undefined) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failure !== undefined) throw failure.error;
  return results;
}
