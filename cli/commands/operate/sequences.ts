/** Stretches that are written out. */
const MOST = 8;

/** 1-5, 7, 9-12: ascending numbers for people. */
export function ranges(numbers: readonly number[]): string {
  const stretches: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const latest = stretches.at(-1);
    if (latest !== undefined && latest.last + 1 === number) latest.last = number;
    else stretches.push({ first: number, last: number });
  }
  const shown = stretches
    .slice(0, MOST)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return [
    ...shown,
    ...(stretches.length > MOST ? [`and ${stretches.length - MOST} more stretches`] : []),
  ].join(', ');
}
