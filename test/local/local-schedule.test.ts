import { describe, expect, test } from 'vitest';
import { type ErrorCode, OrglogError } from '../../functions/core/errors.ts';
import type { RunReport } from '../../functions/core/run.ts';
import { Tally } from '../../functions/core/tally.ts';
import { collectOnSchedule, collectToTheEnd } from '../../local/schedule.ts';

const NEVER = new AbortController().signal;

function report(outcome: RunReport['outcome'], more: Partial<RunReport> = {}): RunReport {
  return { ...new Tally().report(outcome, { startedAt: 0, now: 0 }), ...more };
}

function failed(code: ErrorCode): RunReport {
  return report('failed', { error: new OrglogError(code, `a ${code} failure`) });
}

/** Runs that end as told, one after the other. */
function runs(...reports: RunReport[]) {
  const left = [...reports];
  return async () => left.shift() ?? expect.fail('one run too many');
}

describe('to the end', () => {
  test('runs on until the log is caught up and all of it is queued', async () => {
    const run = runs(
      report('time-up', { announced: 3 }),
      report('caught-up', { owed: { siem: 200 }, announced: 200 }),
      report('caught-up', { announced: 200 }),
    );
    await expect(collectToTheEnd(run, NEVER)).resolves.toBeUndefined();
  });

  test.each([
    ['a failure', failed('unavailable'), 'unavailable'],
    ['a pause', report('paused'), 'configuration'],
    ['a lease held elsewhere', report('busy'), 'busy'],
    ['a queue that takes nothing', report('caught-up', { owed: { siem: 2 } }), 'storage'],
  ])('%s ends it', async (_, last, code) => {
    await expect(collectToTheEnd(runs(last), NEVER)).rejects.toMatchObject({ code });
  });

  test('a wish to stop ends it after the run', async () => {
    const stop = new AbortController();
    const run = async () => {
      stop.abort();
      return report('time-up');
    };
    await expect(collectToTheEnd(run, stop.signal)).resolves.toBeUndefined();
  });
});

describe('on a schedule', () => {
  /** Virtual time; stops once the runs are used up. */
  function schedule(...reports: RunReport[]) {
    const stop = new AbortController();
    const told: string[] = [];
    let now = 0;
    const next = runs(...reports);
    let left = reports.length;
    const run = async () => {
      told.push(`run at ${now}`);
      now += 500;
      if (--left === 0) stop.abort();
      return next();
    };
    const options = {
      clock: {
        now: () => now,
        sleep: async (delayMs: number) => {
          now += delayMs;
        },
      },
      everyMs: 2000,
      beforeRun: () => {},
      onTrouble: (error: OrglogError) => told.push(error.message),
      onWait: () => {},
    };
    return { told, done: collectOnSchedule(run, options, stop.signal), options };
  }

  test('runs from start to start, and at once while there is more', async () => {
    const { told, done } = schedule(
      report('caught-up'),
      report('time-up'),
      report('caught-up'),
      report('caught-up'),
    );
    await done;
    expect(told).toEqual(['run at 0', 'run at 2000', 'run at 2500', 'run at 4500']);
  });

  test('tells of a failure that may pass, and tries again', async () => {
    const { told, done } = schedule(
      failed('unavailable'),
      failed('storage'),
      report('paused'),
      report('caught-up'),
    );
    await done;
    expect(told).toEqual([
      'run at 0',
      'a unavailable failure',
      'run at 2000',
      'a storage failure',
      'run at 4000',
      expect.stringContaining('paused'),
      'run at 6000',
    ]);
  });

  test.each<ErrorCode>([
    'credentials-refused',
    'forbidden',
    'invalid-request',
    'source-changed',
    'configuration',
  ])('ends where %s will not pass', async (code) => {
    const { done } = schedule(failed(code), report('caught-up'));
    await expect(done).rejects.toMatchObject({ code });
  });

  test('a failure while stopping is not hidden', async () => {
    const { done } = schedule(report('caught-up'), failed('storage'));
    await expect(done).rejects.toMatchObject({ code: 'storage' });
  });
});
