import type { OrglogError } from './errors.ts';
import type { Archive, Clock, Compressor, CursorStore, Gap, LogSource, Outbox } from './ports.ts';

/** What one run is given to work with. */
export interface RunPorts {
  readonly cursors: CursorStore;
  readonly archive: Archive;
  /** Destination id → its queue. */
  readonly outboxes: ReadonlyMap<string, Outbox>;
  readonly source: LogSource;
  readonly clock: Clock;
  /** Uniform in [0, 1): jitter, and the epoch of a new row. */
  readonly random: () => number;
  readonly newCompressor: () => Compressor;
  /** Hears of each step as it happens: progress displays and log lines. Must not throw. */
  readonly observe: (event: RunEvent) => void;
}

export interface RunSettings {
  readonly org: string;
  readonly baseUrl: string;
  readonly orgUrl: string;
  readonly filters: LogFilters;
  /** Events asked for per page: 1–1000. */
  readonly limit: number;
  readonly onStaleToken: 'continue' | 'halt';
  /** A read that found the log caught up less than this ago is not repeated. Below the schedule's period. */
  readonly minIntervalMs: number;
  /** A batch is closed once its compressed bytes pass this. */
  readonly batchBytes: number;
  /** How long a lease lasts: longer than the run may take. */
  readonly leaseMs: number;
  /** How often one page is asked for before a passing trouble ends the run. */
  readonly maxAttempts: number;
  /** Start of a first read, where the row has no token yet. */
  readonly fromToken?: string;
}

/** Filters of `/logs/v1/orgLogs` (logs-v1.md, query parameters). */
export interface LogFilters {
  readonly service?: string;
  readonly logType?: string;
  readonly logSubtype?: string;
  readonly tenant?: string;
}

export interface RunContext {
  /** Unique per run: the lease's owner. */
  readonly owner: string;
  /** Epoch ms after which no page is asked for: what remains is for the last put, commit, announcement and release. */
  readonly readUntil: number;
  /** Fires at `readUntil`, or at a wish to stop cleanly: reading ends, and what is in hand is committed. */
  readonly stopReading: AbortSignal;
  /** Fires when everything must have ended, before the lease does. */
  readonly signal: AbortSignal;
}

/** What settling and announcing batches tells, whatever they hold. */
export type SettlementEvent =
  | {
      readonly kind: 'batch';
      readonly key: string;
      readonly sequence: number;
      readonly events: number;
      readonly storedBytes: number;
    }
  | { readonly kind: 'adopted'; readonly key: string; readonly sequence: number; readonly events: number }
  | { readonly kind: 'announced'; readonly destination: string; readonly sequence: number }
  | {
      readonly kind: 'announce-failed';
      readonly destination: string;
      readonly sequence: number;
      readonly reason: string;
    }
  | { readonly kind: 'gap'; readonly gap: Omit<Gap, 'token'> };

/** One step of a run, for progress displays and log lines. Never holds an event, a credential or a token. */
export type RunEvent =
  | { readonly kind: 'page'; readonly events: number; readonly bytes: number }
  | SettlementEvent
  | { readonly kind: 'retry'; readonly reason: string; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: 'smaller-page'; readonly limit: number; readonly reason: string }
  | { readonly kind: 'drift'; readonly what: string };

/** How a run ended and what it did: the one structured log line, and the source of every metric. */
export interface RunReport {
  /**
   * `caught-up`: the log's end was reached; `time-up`: more is there, the next run goes on; `busy`: another run holds
   * the lease; `too-soon`: caught up less than the minimum interval ago; `paused`: by an operator; `failed`: `error`
   * says why, and what was committed before stays committed.
   */
  readonly outcome: 'caught-up' | 'time-up' | 'busy' | 'too-soon' | 'paused' | 'failed';
  readonly error?: OrglogError;
  readonly events: number;
  /** Bytes of events put, uncompressed, line ends included. */
  readonly bytes: number;
  readonly storedBytes: number;
  readonly pages: number;
  readonly batches: number;
  /** Objects that a dead run had left, committed by this one (in `batches` and `events` too). */
  readonly adopted: number;
  /** Events read again and taken out. */
  readonly repeats: number;
  readonly announced: number;
  /** Destination → batches committed but not yet queued to it when the run ended. */
  readonly owed: Readonly<Record<string, number>>;
  readonly gapSeconds: number;
  readonly gaps: number;
  /** Events of an unknown shape or vocabulary seen in the sample, all passed on. */
  readonly drift: number;
  readonly throttles: number;
  /** Status (or `network`, `time-out`, `malformed`) → how often the provider answered so. */
  readonly providerErrors: Readonly<Record<string, number>>;
  /** now − newest event, once known. */
  readonly lagSeconds?: number;
  readonly sequence?: number;
  readonly runMs: number;
}
