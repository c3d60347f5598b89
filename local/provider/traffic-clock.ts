const HOUR_MS = 60 * 60 * 1000;

// Share of a day's events in each hour (UTC): quiet nights, a morning rush, a dip at noon, a long evening.
const WEIGHTS = [
  8, 6, 5, 4, 4, 6, 12, 28, 62, 88, 96, 92, 78, 84, 92, 88, 74, 60, 48, 42, 38, 32, 22, 13,
] as const;
const MEAN = WEIGHTS.reduce((sum, weight) => sum + weight, 0) / WEIGHTS.length;

/** How busy the hour that holds `timeMs` is: 1 is the day's mean. */
export function busyness(timeMs: number): number {
  return (WEIGHTS[new Date(timeMs).getUTCHours()] ?? MEAN) / MEAN;
}

/**
 * The daily curve from `fromMs` to `toMs` turned round: a function from a share of the events (0 to 1, never falling
 * from call to call) to the time, epoch ms, by which that share of them has happened.
 */
export function timeOfShare(fromMs: number, toMs: number): (share: number) => number {
  const end = (startMs: number) => Math.min(toMs, (Math.floor(startMs / HOUR_MS) + 1) * HOUR_MS);
  const load = (startMs: number) => (end(startMs) - startMs) * busyness(startMs);
  let total = 0;
  for (let startMs = fromMs; startMs < toMs; startMs = end(startMs)) total += load(startMs);

  let startMs = fromMs;
  let before = 0;
  return (share) => {
    const wanted = share * total;
    while (end(startMs) < toMs && before + load(startMs) <= wanted) {
      before += load(startMs);
      startMs = end(startMs);
    }
    const time = startMs + (wanted - before) / busyness(startMs);
    return Math.min(Math.floor(time), toMs - 1);
  };
}
