import { describe, expect, it } from 'vitest';
import { dayOf, objectKey, withToday } from '../../functions/core/keys.ts';

const row = { org: 'institution', stream: 'logs', epoch: 'k3x9ab' };

describe('object keys', () => {
  it('are made of the row alone', () => {
    const days = { '2026-01-03': 5, '2026-01-02': 1 };
    expect(objectKey({ ...row, days }, 4)).toBe(
      'logs/org=institution/dt=2026-01-02/k3x9ab-000000000004.ndjson.gz',
    );
    expect(objectKey({ ...row, days }, 5)).toBe(
      'logs/org=institution/dt=2026-01-03/k3x9ab-000000000005.ndjson.gz',
    );
    expect(objectKey({ ...row, days }, 0)).toBeUndefined();
  });

  it('take the UTC day', () => {
    expect(dayOf(Date.UTC(2026, 0, 2, 23, 59, 59, 999))).toBe('2026-01-02');
    expect(dayOf(Date.UTC(2026, 0, 3))).toBe('2026-01-03');
  });
});

describe('the days of a row', () => {
  it('get a new entry when the day changes', () => {
    expect(withToday({ '2026-01-02': 1 }, 4, '2026-01-03', 4)).toStrictEqual({
      '2026-01-02': 1,
      '2026-01-03': 4,
    });
  });

  it('stay as they are on the same day, and when a clock goes back', () => {
    const days = { '2026-01-02': 1 };
    expect(withToday(days, 4, '2026-01-02', 4)).toBe(days);
    expect(withToday(days, 4, '2026-01-01', 4)).toBe(days);
  });

  it('forget a day under which nothing was committed', () => {
    expect(withToday({ '2026-01-02': 1, '2026-01-03': 4 }, 4, '2026-01-05', 4)).toStrictEqual({
      '2026-01-02': 1,
      '2026-01-05': 4,
    });
  });

  it('are the last 100, and all that is still to be announced', () => {
    const day = (i: number) => dayOf(Date.UTC(2026, 0, 1 + i));
    let days: Readonly<Record<string, number>> = { [day(0)]: 1 };
    for (let i = 1; i < 150; i++) days = withToday(days, 10 * i, day(i), 10 * i);
    expect(Object.keys(days)).toHaveLength(100);
    expect(Object.keys(days)[0]).toBe(day(50));

    let owed: Readonly<Record<string, number>> = { [day(0)]: 1 };
    for (let i = 1; i < 150; i++) owed = withToday(owed, 10 * i, day(i), 25);
    expect(Object.keys(owed)[0]).toBe(day(2));
    expect(objectKey({ ...row, days: owed }, 25)).toContain(`dt=${day(2)}`);
  });
});
