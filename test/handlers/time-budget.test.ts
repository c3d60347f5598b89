import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timeBudget } from '../../functions/handlers/time-budget.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const spent = (remainingMs: number) => {
  const now = Date.now();
  const time = timeBudget({ now, remainingMs, leaseMs: 280_000 });
  const fired = { reading: Number.NaN, everything: Number.NaN };
  time.stopReading.addEventListener('abort', () => {
    fired.reading = Date.now() - now;
  });
  time.signal.addEventListener('abort', () => {
    fired.everything = Date.now() - now;
  });
  return { time, fired, readUntil: time.readUntil - now };
};

test.each([
  [240_000, 213_000, 238_000],
  [90_000, 63_000, 88_000],
  [30_000, 18_000, 28_000],
  [3_000, 1_700, 2_700],
])('of %i ms, reading gets %i, everything %i', (remainingMs, readingMs, everythingMs) => {
  vi.setSystemTime(1_800_000_000_000);
  const { fired, readUntil } = spent(remainingMs);
  vi.runAllTimers();
  expect(fired).toEqual({ reading: readingMs, everything: everythingMs });
  expect(readUntil).toBe(readingMs);
});

test('that is disposed of leaves no timer behind', () => {
  const { time, fired } = spent(60_000);
  time[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(100_000);
  expect(fired).toEqual({ reading: Number.NaN, everything: Number.NaN });
});

test.each([280_000, 280_001])('of %i ms is not given to a lease of 280,000', (remainingMs) => {
  expect(() => spent(remainingMs)).toThrow(`the function may go on for ${remainingMs} ms, but a lease lasts`);
  expect(vi.getTimerCount()).toBe(0);
});
