import { systemClock } from '../functions/adapters/system-clock.ts';
import { collect } from '../functions/core/collect.ts';
import { gzipCompressor } from '../functions/core/gzip.ts';
import type { Outbox } from '../functions/core/ports.ts';
import type { RunEvent, RunReport } from '../functions/core/run.ts';
import type { Backend } from './backend.ts';
import type { LogTarget } from './log-target.ts';

/** A run reads no longer than this: its report comes soon, and a next run goes on. */
const READ_MS = 60_000;
/** For the last put, commit, announcement and release. */
const FINISH_MS = 45_000;

export interface CollectorOptions {
  readonly backend: Backend;
  readonly target: LogTarget;
  /** Destination → its queue. */
  readonly outboxes: ReadonlyMap<string, Outbox>;
  readonly limit: number;
  readonly batchBytes: number;
  readonly maxAttempts: number;
  readonly observe: (event: RunEvent) => void;
}

/** The core's run over the embedded ports. @returns one run, which stops reading when `stop` fires and never rejects */
export function localCollector(options: CollectorOptions): (stop: AbortSignal) => Promise<RunReport> {
  const { backend, target, outboxes, observe } = options;
  const ports = {
    cursors: backend.cursors,
    archive: backend.archive,
    outboxes,
    source: target.source,
    clock: systemClock,
    random: Math.random,
    newCompressor: gzipCompressor,
    observe,
  };
  const settings = {
    org: target.org,
    baseUrl: target.baseUrl,
    orgUrl: target.orgUrl,
    filters: target.filters,
    limit: options.limit,
    onStaleToken: 'continue' as const,
    minIntervalMs: 0,
    batchBytes: options.batchBytes,
    leaseMs: READ_MS + FINISH_MS + 15_000,
    maxAttempts: options.maxAttempts,
    ...(target.fromToken !== undefined && { fromToken: target.fromToken }),
  };
  return (stop) =>
    collect(ports, settings, {
      // The folder's lock leaves no other run alive, so a lease that a killed one left is this one's too.
      owner: 'orglog-local',
      readUntil: systemClock.now() + READ_MS,
      stopReading: AbortSignal.any([stop, AbortSignal.timeout(READ_MS)]),
      signal: AbortSignal.timeout(READ_MS + FINISH_MS),
    });
}
