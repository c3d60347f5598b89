import { systemClock } from '../functions/adapters/system-clock.ts';
import type { OrglogError } from '../functions/core/errors.ts';
import { type Backend, claimFolder, openBackend, SIEM } from './backend.ts';
import { localCollector } from './collector.ts';
import type { LogTarget } from './log-target.ts';
import { type Progress, ProgressBoard, Totals } from './progress.ts';
import type { PushOrder } from './push-sink.ts';
import { type Pushed, Pushes } from './pushes.ts';
import { forgetStandIn, noteRun, type Running } from './run-file.ts';
import { collectOnSchedule, collectToTheEnd } from './schedule.ts';
import { refuseKnownCursor, refuseOtherLog, setAside } from './session-faults.ts';
import type { Settled } from './siem-ledger.ts';
import { SiemPump } from './siem-pump.ts';
import { WalkTotals } from './walk-totals.ts';
import { Walks } from './walks.ts';

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
  /** The sinks that events are pushed to, each at most once. */
  readonly push: readonly PushOrder[];
  /**
   * Stops reading; what is in hand is committed, and the SIEM takes in what is queued. Sinks are sent to for a few
   * seconds more.
   */
  readonly stop: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface SessionResult {
  readonly org: string;
  readonly totals: Totals;
  readonly siem: Settled;
  readonly siemPath: string;
  /** Absent where no identities were walked. */
  readonly identities?: { readonly walks: WalkTotals; readonly siem: Settled; readonly siemPath: string };
  readonly pushed: readonly Pushed[];
  readonly elapsedMs: number;
}

/**
 * The whole system on one machine: the collector on its schedule, a SIEM that consumes its queue, and sinks that are
 * delivered to.
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

/** What lies between the log and its consumers. */
interface Wiring {
  readonly backend: Backend;
  readonly target: LogTarget;
  readonly pushes: Pushes;
  readonly walks: WalkTotals;
}

async function workIn(options: SessionOptions, board: ProgressBoard): Promise<SessionResult> {
  const { folder, standIn, once, stop } = options;
  const startedAt = systemClock.now();
  await using opened = new AsyncDisposableStack();
  opened.use(await claimFolder(folder));
  await forgetStandIn(folder);
  refuseOtherLog(folder, standIn);
  const target = opened.use(await options.openTarget());
  const backend = opened.use(await openBackend(folder));
  const row = await backend.cursors.read({ org: target.org, stream: 'logs' }, endless);
  if (!standIn && target.fromToken !== undefined) refuseKnownCursor(row);
  let onPush = () => {};
  const pushes = opened.use(
    await Pushes.open(options.push, {
      ...{ backend, row, patient: !once, stop },
      onChange: () => onPush(),
    }),
  );
  await noteRun(folder, runningOf(options, target, pushes));
  const refresh = async () => board.update(await standingOf({ backend, target, pushes }));
  const refreshSoon = () =>
    void refresh().catch((error: OrglogError) => board.update({ trouble: error.message }));
  onPush = refreshSoon;
  await refresh();

  const walks = new WalkTotals();
  const wiring = { backend, target, pushes, walks };
  const totals = await collectAndConsume(wiring, { board, refreshSoon }, options);
  await refresh();
  return {
    org: target.org,
    totals,
    siem: backend.siemFile.settled,
    siemPath: backend.siemFile.path,
    ...(target.identities.length > 0 && {
      identities: {
        walks,
        siem: backend.siemIdentities.settled,
        siemPath: backend.siemIdentities.path,
      },
    }),
    pushed: await pushes.pushed(endless),
    elapsedMs: systemClock.now() - startedAt,
  };
}

function runningOf({ everyMs, limit }: SessionOptions, target: LogTarget, pushes: Pushes): Running {
  const { org: id, baseUrl, orgUrl, filters, standInUrl } = target;
  return {
    organization: {
      ...{ id, baseUrl, orgUrl, filters, everyMs, limit },
      identities: target.identities.map(({ environment }) => environment),
    },
    destinations: [{ id: SIEM, kind: 'file', delivery: 'pull' }, ...pushes.destinations],
    ...(standInUrl !== undefined && { standInUrl }),
  };
}

async function collectAndConsume(
  { backend, target, pushes, walks: walkTotals }: Wiring,
  { board, refreshSoon }: { readonly board: ProgressBoard; readonly refreshSoon: () => void },
  options: SessionOptions,
): Promise<Totals> {
  const { once, everyMs } = options;
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
      refreshSoon();
    },
    onTrouble,
  });
  const totals = new Totals();
  const outboxes = new Map([[SIEM, backend.queue], ...pushes.outboxes]);
  const wake = (destination: string) => {
    if (destination === SIEM) pump.wake();
    else pushes.wake(destination);
    refreshSoon();
  };
  const runOne = localCollector({
    ...{ backend, target, limit: options.limit, batchBytes: options.batchBytes, outboxes },
    maxAttempts: once ? 3 : 5,
    observe: (event) => {
      board.step(event);
      if (event.kind === 'announced') wake(event.destination);
    },
  });
  const walks = new Walks({
    ...{ backend, target, outboxes, batchBytes: options.batchBytes },
    observe: (event) => {
      if (walkTotals.step(event)) board.update({ identities: walkTotals.inWords });
      if (event.kind === 'announced') wake(event.destination);
    },
    onReport: (report) => {
      walkTotals.add(report);
      board.update({ identities: walkTotals.inWords });
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
  const ends = await Promise.allSettled([
    Promise.all(
      once
        ? // What happens to identities is in the log too.
          [walks.once(stop).then(() => collectToTheEnd(run, stop))]
        : [collectOnSchedule(run, schedule, stop), walks.onSchedule(stop, onTrouble)],
    ).finally(() => collected.abort()),
    pump.run(collected.signal, endless).finally(() => siemFailed.abort()),
    pushes.run(collected.signal, options.stop),
  ]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  board.update(await standingOf({ backend, target, pushes }));
  if (board.progress.dead > deadBefore) throw setAside(board.progress.dead - deadBefore, unreadable);
  return totals;
}

const endless = new AbortController().signal;

/** What can be read off the backend at any moment. */
async function standingOf({ backend, target, pushes }: Omit<Wiring, 'walks'>) {
  const { waiting, dead } = await backend.queue.depth(endless);
  const row = await backend.cursors.read({ org: target.org, stream: 'logs' }, endless);
  const { lines, bytes } = backend.siemFile.settled;
  return {
    ...{ queued: waiting, dead, newestEventAt: row?.newestEventAt, siemLines: lines, siemBytes: bytes },
    pushes: await pushes.standings(endless),
  };
}
