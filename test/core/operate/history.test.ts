import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsWithin } from '../../../functions/core/operate/event-times.ts';
import { historyOf } from '../../../functions/core/operate/history.ts';
import { never } from '../../contracts/support.ts';
import { MINUTE, NOON } from '../simulation/world.ts';
import { OperatedWorld, stepOf } from './operated-world.ts';

const HOUR = 60 * MINUTE;

async function past(world: OperatedWorld, from: number, to: number) {
  const { history } = await stepOf(historyOf(world.system, world.cursor, { from, to }, never), 'history');
  return history;
}

describe('the history of a cursor', () => {
  it('counts each event in its hour', async () => {
    const world = new OperatedWorld({ settings: { limit: 10 } });
    await world.collectAll(Array.from({ length: 30 }, () => 3));
    const { hours, unknown } = await past(world, NOON - HOUR, NOON + 3 * HOUR);
    expect(unknown).toBe(0);
    expect(hours.map(({ at }) => at)).toStrictEqual([-1, 0, 1, 2].map((hour) => NOON + hour * HOUR));
    expect(hours.reduce((sum, { events }) => sum + events, 0)).toBe(90);
    for (const { at, events } of hours) {
      const own = world.provider.lines.filter((line) => {
        const time = Date.parse(JSON.parse(line).timeStampISO);
        return time >= at && time < at + HOUR;
      });
      expect(Math.abs(events - own.length)).toBeLessThanOrEqual(3);
    }
    expect(hours[1]).toMatchObject({ batches: 12, lagMs: 5 * MINUTE });
    expect(hours[0]).toMatchObject({ batches: 0 });
    expect(hours[0]).not.toHaveProperty('lagMs');
  });

  it('counts what lies in its hours only, and says what it could not count', async () => {
    const world = new OperatedWorld({ settings: { limit: 10 } });
    await world.collectAll(Array.from({ length: 30 }, () => 3));
    world.archive.lose(world.keyOf(20));
    const { hours, unknown } = await past(world, NOON + HOUR + 1, NOON + HOUR + 2);
    expect(unknown).toBe(1);
    expect(hours).toHaveLength(1);
    expect(hours[0]?.events).toBeGreaterThan(25);
    expect(hours[0]?.events).toBeLessThan(40);
  });

  it('shows gaps without their tokens', async () => {
    const world = new OperatedWorld({ backlog: 1 });
    await world.run();
    const gap = { from: NOON, to: NOON + HOUR, reason: 'stale-token' as const };
    world.cursors.poke({
      ...world.cursor,
      gaps: [
        { ...gap, token: 't1' },
        { ...gap, from: 1, to: 2 },
      ],
    });
    expect((await past(world, NOON, NOON + HOUR)).gaps).toStrictEqual([gap]);
  });
});

it('a batch’s shares of adjoining stretches are all of it', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(100), fc.nat(1_000), (first, length, count, cut) => {
      const facts = { first, last: first + length, eventTime: 5_000, count };
      const [before, after] = [eventsWithin(facts, 0, cut), eventsWithin(facts, cut, 10_000)];
      expect(before + after).toBeCloseTo(count, 6);
      expect(Math.min(before, after)).toBeGreaterThanOrEqual(0);
    }),
    { seed: 11, numRuns: 300 },
  );
});
