import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { ClockFile } from './clock-file.ts';

const DAY_MS = 86_400_000;

test('a process goes by a clock that is set from outside, wherever it asks for the time', async () => {
  await using folder = await temporaryFolder();
  const clock = new ClockFile(join(folder.path, 'clock'));
  clock.set(-DAY_MS);
  const asks =
    'console.log(JSON.stringify([Date.now(), +new Date(), +new Date(7), new Date() instanceof Date]))';
  const { stdout } = spawnSync(process.execPath, [...clock.flags, '-e', asks], { env: clock.env });
  const [now, fresh, given, isDate] = JSON.parse(stdout.toString());
  expect(Math.abs(now + DAY_MS - Date.now())).toBeLessThan(60_000);
  expect(Math.abs(fresh - now)).toBeLessThan(1000);
  expect([given, isDate]).toEqual([7, true]);
});

test('what a clock showed is told in true time, however often it was set ahead since', async () => {
  await using folder = await temporaryFolder();
  const clock = new ClockFile(join(folder.path, 'clock'));
  const atMs = Date.now();
  expect(clock.trueTimeOf(atMs)).toBe(atMs);
  clock.set(DAY_MS);
  clock.set(3 * DAY_MS);
  expect(clock.trueTimeOf(Date.now() + 3 * DAY_MS)).toBeLessThanOrEqual(Date.now());
  expect(clock.trueTimeOf(atMs)).toBe(atMs);
});
