import { expect, test } from 'vitest';
import { duration, size, some } from '../../cli/format.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [99_949, '99.9 kB'],
  [99_951, '100 kB'],
  [999_499, '999 kB'],
  [999_600, '1.0 MB'],
  [52_512_538, '52.5 MB'],
  [3.2e15, '3200 TB'],
])('%d bytes are %s', (bytes, text) => expect(size(bytes)).toBe(text));

test.each([
  [-5, '0.0 s'],
  [9_949, '9.9 s'],
  [9_951, '10 s'],
  [119_000, '119 s'],
  [120_000, '2 min'],
  [7_200_000, '2 h'],
  [10 * 86_400_000, '10 d'],
])('%d ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

test('counts have their words', () => {
  expect([some(1, 'page'), some(1234, 'page'), some(0, 'batch', 'batches')]).toEqual([
    '1 page',
    '1,234 pages',
    '0 batches',
  ]);
});
