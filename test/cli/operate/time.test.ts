import { describe, expect, test } from 'vitest';
import { timeAt, utc } from '../../../cli/commands/operate/time.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('a moment as a person writes it', () => {
  test.each([
    ['now', '2026-01-02T03:04:05.000Z'],
    ['90m', '2026-01-02T01:34:05.000Z'],
    ['6h', '2026-01-01T21:04:05.000Z'],
    ['2d', '2025-12-31T03:04:05.000Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-01T03:04', '2026-01-01T03:04:00.000Z'],
    ['2026-01-01 03:04:05', '2026-01-01T03:04:05.000Z'],
    ['2026-01-01t03:04:05.678z', '2026-01-01T03:04:05.678Z'],
    ['2026-01-01T03:04:05+01:00', '2026-01-01T02:04:05.000Z'],
    ['2026-01-01T23:30-05:00', '2026-01-02T04:30:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(new Date(timeAt(text, NOW, 'start') ?? 0).toISOString()).toBe(expected);
  });

  test('a day that ends something counts whole', () => {
    expect(new Date(timeAt('2026-01-01', NOW, 'end') ?? 0).toISOString()).toBe('2026-01-01T23:59:59.999Z');
    expect(timeAt('2026-01-01T03:04Z', NOW, 'end')).toBe(timeAt('2026-01-01T03:04Z', NOW, 'start'));
  });

  test.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-1-2',
    '6',
    '6w',
    '-6h',
    '2026-01-01T25:00',
    '1e3',
  ])('%j is none', (text) => {
    expect(timeAt(text, NOW, 'start')).toBeUndefined();
  });

  test('is shown in UTC, to the second', () => {
    expect(utc(NOW + 999)).toBe('2026-01-02 03:04:05Z');
  });
});
