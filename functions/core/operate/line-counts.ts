import { hash } from 'node:crypto';

const HOUR_MS = 3_600_000;

/** How one hour's lines differ between two sides. */
export interface HourDifference {
  /** Epoch ms of its start. */
  readonly at: number;
  readonly missing: number;
  readonly extra: number;
}

/**
 * Two multisets of lines, compared hour by hour without keeping either: a line of one side is balanced against an equal
 * one of the other, by SHA-256.
 */
export class LineBalance {
  readonly #hours = new Map<number, Map<string, number>>();

  /** @param side +1 expected, −1 found */
  add(line: Buffer, at: number, side: 1 | -1): void {
    const start = Math.floor(at / HOUR_MS) * HOUR_MS;
    const hour = this.#hours.get(start) ?? new Map<string, number>();
    this.#hours.set(start, hour);
    const digest = hash('sha256', line, 'base64');
    const count = (hour.get(digest) ?? 0) + side;
    if (count === 0) hour.delete(digest);
    else hour.set(digest, count);
  }

  /** Hours that differ, in order. */
  differences(): readonly HourDifference[] {
    return [...this.#hours]
      .sort(([a], [b]) => a - b)
      .map(([at, hour]) => {
        const counts = [...hour.values()];
        const missing = counts.reduce((sum, count) => sum + Math.max(0, count), 0);
        const extra = counts.reduce((sum, count) => sum + Math.max(0, -count), 0);
        return { at, missing, extra };
      })
      .filter(({ missing, extra }) => missing + extra > 0);
  }
}
