import { systemClock } from '../functions/adapters/system-clock.ts';
import { OrglogError } from '../functions/core/errors.ts';
import { gzipCompressor } from '../functions/core/gzip.ts';
import type { SyncEvent, SyncReport } from '../functions/core/identities/ports.ts';
import { syncIdentities } from '../functions/core/identities/sync.ts';
import type { Outbox } from '../functions/core/ports.ts';
import type { Backend } from './backend.ts';
import type { IdentityTarget, LogTarget } from './log-target.ts';

/** A run works no longer than this: its report comes soon, and the next one goes on. */
const RUN_MS = 60_000;
/** For the last put, commit, announcement and release. */
const FINISH_MS = 45_000;
/** After a run that failed. */
const TROUBLE_PAUSE_MS = 30_000;

export interface WalksOptions {
  readonly backend: Pick<Backend, 'cursors' | 'archive'>;
  readonly target: LogTarget;
  /** Destination → its queue. */
  readonly outboxes: ReadonlyMap<string, Outbox>;
  readonly batchBytes: number;
  readonly observe: (event: SyncEvent) => void;
  /** Hears of each run's end. */
  readonly onReport: (report: SyncReport, environment: string) => void;
}

/** The identity records of a target, walked beside its log. */
export class Walks {
  readonly #options: WalksOptions;

  constructor(options: WalksOptions) {
    this.#options = options;
  }

  /**
   * One walk of each environment; where the stand-in can let something happen, another one after that.
   * @throws OrglogError of the first run that fails
   */
  async once(stop: AbortSignal): Promise<void> {
    for (const target of this.#options.target.identities) {
      const first = await this.#isFirst(target, stop);
      if (first) await this.#toTheEnd(target, stop);
      if (first && target.stir === undefined) continue;
      target.stir?.();
      await this.#toTheEnd(target, stop);
    }
  }

  /** Walk after walk, until `stop` fires. Trouble is told, and the next run tries again. */
  async onSchedule(stop: AbortSignal, onTrouble: (error: OrglogError) => void): Promise<void> {
    await Promise.all(
      this.#options.target.identities.map(async (target) => {
        while (!stop.aborted) {
          const startedAt = systemClock.now();
          const { outcome, error } = await this.#run(target, target.everyMs, stop);
          if (error) onTrouble(error);
          if (outcome === 'time-up') continue;
          if (outcome === 'complete') target.stir?.();
          const pauseMs = error ? TROUBLE_PAUSE_MS : Math.min(target.everyMs, RUN_MS);
          await systemClock.sleep(startedAt + pauseMs - systemClock.now(), stop).catch(() => {});
        }
      }),
    );
  }

  async #isFirst({ environment }: IdentityTarget, signal: AbortSignal): Promise<boolean> {
    const key = { org: this.#options.target.org, stream: `identities.${environment}` };
    const row = await this.#options.backend.cursors.read(key, signal);
    return (row?.sequence ?? 0) === 0;
  }

  /** One walk, however many runs it takes. */
  async #toTheEnd(target: IdentityTarget, stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      // Due whenever it is asked for.
      const { outcome, error } = await this.#run(target, 0, stop);
      if (error) throw error;
      if (outcome === 'complete') return;
      if (outcome === 'paused' || outcome === 'busy') {
        throw new OrglogError(
          'busy',
          `the identities of ${target.environment} were not walked: the row is ${outcome}`,
        );
      }
    }
  }

  async #run(
    { environment, source }: IdentityTarget,
    everyMs: number,
    stop: AbortSignal,
  ): Promise<SyncReport> {
    const { backend, target, outboxes, batchBytes, observe, onReport } = this.#options;
    const { org, baseUrl } = target;
    const report = await syncIdentities(
      {
        cursors: backend.cursors,
        archive: backend.archive,
        ...{ outboxes, source, observe },
        clock: systemClock,
        random: Math.random,
        newCompressor: gzipCompressor,
        pseudonym: (value) => value,
      },
      {
        ...{ org, environment, baseUrl, everyMs, batchBytes },
        redact: [],
        pseudonymKeyId: 'none',
        snapshots: 'first',
        leaseMs: RUN_MS + FINISH_MS + 15_000,
      },
      {
        // The folder's lock leaves no other run alive, so a lease that a killed one left is this one's too.
        owner: 'orglog-local',
        readUntil: systemClock.now() + RUN_MS,
        stopReading: AbortSignal.any([stop, AbortSignal.timeout(RUN_MS)]),
        signal: AbortSignal.timeout(RUN_MS + FINISH_MS),
      },
    );
    onReport(report, environment);
    return report;
  }
}
