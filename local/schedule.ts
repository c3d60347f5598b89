import { type ErrorCode, OrglogError } from '../functions/core/errors.ts';
import type { Clock } from '../functions/core/ports.ts';
import type { RunReport } from '../functions/core/run.ts';

/** What no later run gets past: somebody has to change something first. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  'credentials-refused',
  'forbidden',
  'invalid-request',
  'source-changed',
  'configuration',
]);

export type Run = (stop: AbortSignal) => Promise<RunReport>;

/**
 * Run until the log's end is reached and all of it is queued, or `stop` fires.
 * @throws OrglogError of the first run that fails
 */
export async function collectToTheEnd(run: Run, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const report = await run(stop);
    if (report.error) throw report.error;
    if (report.outcome === 'paused' || report.outcome === 'busy') throw didNotRun(report.outcome);
    const owed = Object.values(report.owed).reduce((sum, count) => sum + count, 0);
    if (report.outcome !== 'caught-up') continue;
    if (owed === 0) return;
    if (report.announced === 0) throw notQueued(owed);
  }
}

export interface Schedule {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Before each run; what it throws counts as that run's failure. */
  readonly beforeRun: () => void;
  readonly onTrouble: (error: OrglogError) => void;
  readonly onWait: (untilMs: number) => void;
}

/**
 * Run every `everyMs` until `stop` fires, and at once while there is more to read. A failed run is told, and the next
 * one tries again.
 * @throws OrglogError of a failure that will not pass, or that struck while stopping
 */
export async function collectOnSchedule(run: Run, schedule: Schedule, stop: AbortSignal): Promise<void> {
  const { clock, everyMs, beforeRun, onTrouble, onWait } = schedule;
  while (!stop.aborted) {
    const startedAt = clock.now();
    const { outcome, error } = await attempt(run, beforeRun, stop);
    if (error) {
      if (LASTING.has(error.code) || stop.aborted) throw error;
      onTrouble(error);
    } else if (outcome === 'paused' || outcome === 'busy') onTrouble(didNotRun(outcome));
    else if (outcome === 'time-up') continue;
    const next = Math.max(clock.now(), startedAt + everyMs);
    onWait(next);
    await clock.sleep(next - clock.now(), stop).catch(() => {});
  }
}

async function attempt(
  run: Run,
  beforeRun: () => void,
  stop: AbortSignal,
): Promise<Pick<RunReport, 'outcome' | 'error'>> {
  try {
    beforeRun();
  } catch (error) {
    if (error instanceof OrglogError) return { outcome: 'failed', error };
    throw error;
  }
  return run(stop);
}

function didNotRun(outcome: 'paused' | 'busy'): OrglogError {
  return outcome === 'paused'
    ? new OrglogError('configuration', 'collecting is paused by an operator, so nothing was read: resume it')
    : new OrglogError('busy', 'another run holds the lease, so nothing was read: wait for it to end');
}

function notQueued(owed: number): OrglogError {
  return new OrglogError(
    'storage',
    `${owed} archived batches could not be queued for the SIEM: check the disk and the data folder, then start again; nothing is lost`,
  );
}
