import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../functions/adapters/retry-after.ts';

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['1.5', 1_500],
  ['0', 0],
  ['-60', 0],
  ['86400', 86_400_000],
  // The three forms of RFC 9110 §5.6.7.
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sun, 06 Nov 1994 08:48:37 GMT', 0],
])('%s is %i ms', (value, delayMs) => {
  expect(parseRetryAfter(value, NOW)).toBe(delayMs);
});

test.each([
  undefined,
  '',
  'soon',
  '1e9',
  '0x10',
  '86401',
  '999999999999999999999999',
  '5 seconds',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 CET',
  'Sun, 06 Nov 2094 08:49:37 GMT',
  '1994-11-06T08:49:37Z',
])('%s says nothing', (value) => {
  expect(parseRetryAfter(value, NOW)).toBeUndefined();
});

test('two digits of a year that seem over 50 years ahead are the past', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(parseRetryAfter('Thursday, 01-Jan-26 00:01:00 GMT', now)).toBe(60_000);
  expect(parseRetryAfter('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(0);
});
