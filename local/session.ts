import { existsSync } from 'node:fs';
import { systemClock } from '../functions/adapters/system-clock.ts';
import { OrglogError } from '../functions/core/errors.ts';
import { type Backend, claimFolder, openBackend, pathsIn } from './backend.ts';
import { localCollector } from './collector.ts';
import type { LogTarget } from './log-target.ts';
import { type Progress, ProgressBoard, Totals } from './progress.ts';
import { collectOnSchedule, collectToTheEnd } from './schedule.ts';
import type { Settled } from './siem-ledger.ts';
import { SiemPump } from './siem-pump.ts';

export interface SessionOptions {
  readonly folder: string;
  /** Whose log; opened once the folder is this process's. */
  readonly openTarget: () => Promise<LogTarget> | LogTarget;
  readonly standIn: boolean;
  /** To the log's end, and done; otherwise every `everyMs` until `stop` fires. */
  readonly once: boolean;
  readonly everyMs: number;
  readonly limit: number;
  readonly batchBytes: number;
  /** Stops reading; what is in hand is committed, and the SIEM takes in what is queued. */
  readonly stop: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface SessionResult {
  readonly org: string;
  readonly totals: Totals;
  readonly siem: Settled;
  readonly siemPath: string;
  readonly elapsedMs: number;
}

/**
 * The whole system on one machine: the collector on its schedule, and a SIEM that consumes its queue.
 * @throws OrglogError when the session cannot begin or go on; what was committed stays, and the next start goes on there
 */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const board = new ProgressBoard(options.onProgress);
  board.update({ phase: 'preparing' });
  try {
    const result = await workIn(options, board);
    board.update({ phase: 'ended' });
    return result;
  } catch (error) {
    // Who called tells about it.
    board.update({ phase: 'failed', trouble: undefined, hitch: undefined });
    throw error;
  }
}

async function workIn(options: SessionOptions, board: ProgressBoard): Promise<SessionResult> {
  const startedAt = systemClock.now();
  await using opened = new AsyncDisposableStack();
  opened.use(await claimFolder(options.folder));
  refuseOtherLog(options);
  const target = opened.use(await options.openTarget());
  const backend = opened.use(await openBackend(options.folder));
  if (!options.standIn && target.fromToken !== undefined) await refuseKnownCursor(backend, target);

  const totals = await collectAndConsume(backend, target, board, options);
  return {
    org: target.org,
    totals,
    siem: backend.siemFile.settled,
    siemPath: backend.siemFile.path,
    elapsedMs: systemClock.now() - startedAt,
  };
}

async function collectAndConsume(
  backend: Backend,
  target: LogTarget,
  board: ProgressBoard,
  options: SessionOptions,
): Promise<Totals> {
  const { once, everyMs } = options;
  const endless = new AbortController().signal;
  const refresh = async () => board.update(await standingOf(backend, target, endless));
  await refresh();
  const deadBefore = board.progress.dead;
  const onTrouble = (error: OrglogError) => board.update({ trouble: error.message });
  let unreadable = '';

  const pump = new SiemPump({
    siem: backend.siem,
    clock: systemClock,
    patient: !once,
    onTaken: (taken) => {
      if (taken.kind === 'unreadable') {
        unreadable = taken.reason;
        board.update({ trouble: taken.reason });
      }
      void refresh().catch(onTrouble);
    },
    onTrouble,
  });
  const totals = new Totals();
  const runOne = localCollector({
    ...{ backend, target, limit: options.limit, batchBytes: options.batchBytes },
    maxAttempts: once ? 3 : 5,
    observe: (event) => {
      board.step(event);
      if (event.kind === 'announced') {
        pump.wake();
        void refresh().catch(onTrouble);
      }
    },
  });
  const run = async (stop: AbortSignal) => {
    board.update({ phase: 'reading', nextReadAt: undefined });
    const report = await runOne(stop);
    totals.add(report);
    board.update({ hitch: undefined, ...(report.outcome !== 'failed' && { trouble: undefined }) });
    return report;
  };

  const siemFailed = new AbortController();
  const stop = AbortSignal.any([options.stop, siemFailed.signal]);
  options.stop.addEventListener('abort', () => board.update({ phase: 'stopping' }), { once: true });
  const schedule = {
    ...{ clock: systemClock, everyMs, onTrouble },
    beforeRun: target.beforeRun,
    onWait: (untilMs: number) => board.update({ phase: 'waiting', nextReadAt: untilMs }),
  };
  const collected = new AbortController();
  const [collecting, consuming] = await Promise.allSettled([
    (once ? collectToTheEnd(run, stop) : collectOnSchedule(run, schedule, stop)).finally(() =>
      collected.abort(),
    ),
    pump.run(collected.signal, endless).finally(() => siemFailed.abort()),
  ]);
  if (collecting.status === 'rejected') throw collecting.reason;
  if (consuming.status === 'rejected') throw consuming.reason;
  await refresh();
  if (board.progress.dead > deadBefore) throw setAside(board.progress.dead - deadBefore, unreadable);
  return totals;
}

/** What can be read off the backend at any moment. */
async function standingOf(backend: Backend, target: LogTarget, signal: AbortSignal) {
  const { waiting, dead } = await backend.queue.depth(signal);
  const row = await backend.cursors.read({ org: target.org, stream: 'logs' }, signal);
  const { lines, bytes } = backend.siemFile.settled;
  return { queued: waiting, dead, newestEventAt: row?.newestEventAt, siemLines: lines, siemBytes: bytes };
}

/** Invented events and real ones must not meet in one SIEM file. */
function refuseOtherLog({ folder, standIn }: SessionOptions): void {
  const { provider, state } = pathsIn(folder);
  if (!standIn && existsSync(provider)) {
    throw new OrglogError(
      'configuration',
      `${folder} holds the stand-in's invented events, which must not mix with real ones: name another folder with --data-dir`,
    );
  }
  if (standIn && !existsSync(provider) && existsSync(state)) {
    throw new OrglogError(
      'configuration',
      `${folder} holds a real provider's events, with which invented ones must not mix: give --base-url and --org-url to go on with it, or name another folder with --data-dir`,
    );
  }
}

async function refuseKnownCursor({ cursors }: Backend, { org }: LogTarget): Promise<void> {
  const row = await cursors.read({ org, stream: 'logs' }, new AbortController().signal);
  if (row === undefined || (row.token === undefined && row.sequence === 0)) return;
  throw new OrglogError(
    'configuration',
    `--from-token is for a first start, but ${org} has a cursor (${row.sequence} batches): leave it out to go on from there, or start anew under another --org or --data-dir`,
  );
}

function setAside(count: number, reason: string): OrglogError {
  return new OrglogError(
    'storage',
    `${count} message${count === 1 ? ' was' : 's were'} set aside, and their events are missing from the SIEM: ${reason}`,
  );
}
