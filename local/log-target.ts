import type { IdentityEnvironment } from '../functions/core/identities/identity.ts';
import type { IdentitySource } from '../functions/core/identities/ports.ts';
import type { LogSource } from '../functions/core/ports.ts';
import type { LogFilters } from '../functions/core/run.ts';

/** The log to collect: a provider's, or the stand-in's. */
export interface LogTarget extends AsyncDisposable {
  readonly org: string;
  /** Names the log's home in messages and in the cursor's fingerprint: the same at every start. */
  readonly baseUrl: string;
  readonly orgUrl: string;
  readonly filters: LogFilters;
  readonly fromToken?: string;
  readonly source: LogSource;
  /** The stand-in's address while it listens; absent for a provider elsewhere. */
  readonly standInUrl?: string;
  /** In a few words, for people. */
  readonly title: string;
  /** Called before each run of the continuous mode. */
  readonly beforeRun: () => void;
  /** Whose identity records are walked beside the log, environment by environment. */
  readonly identities: readonly IdentityTarget[];
}

export interface IdentityTarget {
  readonly environment: IdentityEnvironment;
  readonly source: IdentitySource;
  /** From the start of one walk to the start of the next, in continuous mode. */
  readonly everyMs: number;
  /** The stand-in's: lets something happen to the identities, so that the next walk has something to tell. */
  readonly stir?: () => void;
}
