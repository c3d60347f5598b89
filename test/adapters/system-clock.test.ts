import { expect, test } from 'vitest';
import { systemClock } from '../../functions/adapters/system-clock.ts';

test('tells the time of the machine', () => {
  const before = Date.now();
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test('sleeps for as long as it was told', async () => {
  const startedAt = performance.now();
  await systemClock.sleep(20, new AbortController().signal);
  // Timers count whole milliseconds.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
});

test.each(['before', 'after'])('a signal that fires %s the start of a sleep ends it', async (when) => {
  const controller = new AbortController();
  if (when === 'before') controller.abort();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  controller.abort();
  await expect(sleeping).rejects.toMatchObject({
    name: 'OrglogError',
    code: 'time-out',
    message: expect.stringContaining('60000 ms'),
  });
});
