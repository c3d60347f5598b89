/** 1,234 */
export function count(n: number): string {
  return n.toLocaleString('en-US');
}

/** 1 page, 2 pages, 0 batches */
export function some(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** 999 B, 1.2 kB, 345 MB: powers of 1,000, three digits at most. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  let unit = '';
  for (unit of ['kB', 'MB', 'GB', 'TB']) {
    value /= 1000;
    if (value < 999.5) break;
  }
  return `${value.toFixed(value < 99.95 ? 1 : 0)} ${unit}`;
}

/** 0.4 s, 12 s, 3 min, 5 h, 2 d */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 119.5) return `${seconds.toFixed(0)} s`;
  if (seconds < 120 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** 14:03:59, in the machine's zone */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString('en-GB');
}
