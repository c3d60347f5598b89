import type {
  Archive,
  Credential,
  CursorRow,
  CursorStore,
  LogSource,
  MessageQueue,
  RowKey,
} from '../ports.ts';
import type { Ledger, LedgerKey } from '../ports-delivery.ts';
import type { LogFilters } from '../run.ts';

/**
 * What the operator's command needs beside the ports that the functions have, under the same conventions (ports.ts).
 * Each has three implementations held to one contract suite: in memory, embedded and AWS. The functions' roles permit
 * none of this: it is done with the operator's own rights.
 */

/** The cursor rows, as an operator sees and stops them. */
export interface OperatorCursors extends CursorStore {
  /** Every row, in order of organization and stream. */
  list(signal: AbortSignal): Promise<readonly CursorRow[]>;
  /** Set or clear `paused`, whoever holds the lease. `missing`: there is no such row, and none was made. */
  setPaused(key: RowKey, paused: boolean, signal: AbortSignal): Promise<'written' | 'missing'>;
}

export interface ListedObject {
  readonly key: string;
  /** Stored (compressed) bytes. */
  readonly size: number;
  /** When it was written, epoch ms. */
  readonly storedAt: number;
}

export interface OperatorArchive extends Archive {
  /** The objects under a prefix in the order of their keys (code units), those after `after` only, page by page. */
  list(
    prefix: string,
    options: { readonly after?: string },
    signal: AbortSignal,
  ): AsyncIterable<readonly ListedObject[]>;
}

/** A queue's state: counts are approximate on SQS. */
export interface QueueStanding {
  readonly visible: number;
  /** Received, and neither removed nor visible again. */
  readonly inFlight: number;
  /** Age of the oldest message that waits; absent where none does, or where it is not known yet. */
  readonly oldestAgeSeconds?: number;
  readonly dead: number;
}

export interface DeadLetter {
  readonly body: string;
  /** Epoch ms when it was first queued. */
  readonly queuedAt: number;
  readonly receiveCount: number;
}

/** One destination's queue with its dead letters. */
export interface OperatorQueue extends MessageQueue {
  standing(signal: AbortSignal): Promise<QueueStanding>;
  /** At most `max` dead letters, which stay where they are: a sample on SQS, the oldest elsewhere. */
  peekDead(max: number, signal: AbortSignal): Promise<readonly DeadLetter[]>;
  /**
   * Send all dead letters back to their queue (SQS: StartMessageMoveTask, which goes on by itself).
   *
   * @returns how many were moved, or are about to be
   */
  redrive(signal: AbortSignal): Promise<number>;
}

export interface OperatorLedger extends Ledger {
  /** Forget a destination's progress through an object: its next delivery starts at the first line. */
  reset(key: LedgerKey, signal: AbortSignal): Promise<void>;
}

/** Where the providers' credentials are kept. Errors name the secret, never its value. */
export interface OperatorSecrets {
  /** Whether it is there and holds a value, and when that was last changed (epoch ms, where it is known). */
  describe(name: string, signal: AbortSignal): Promise<SecretStanding>;
  read(name: string, signal: AbortSignal): Promise<Credential>;
  /** Replaces the value. The secret itself must be there: the stack makes it. */
  store(name: string, credential: Credential, signal: AbortSignal): Promise<void>;
}

export type SecretStanding =
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'stored'; readonly changedAt?: number };

/** An organization as it is deployed. */
export interface DeployedOrganization {
  readonly id: string;
  readonly baseUrl: string;
  /** Exactly as the provider has it. */
  readonly orgUrl: string;
  readonly filters: LogFilters;
  readonly everyMs: number;
  readonly limit: number;
  readonly onStaleToken: 'continue' | 'halt';
  /** Name of the secret with its credential. */
  readonly secret: string;
  /** The environments whose identity records are walked. */
  readonly identities: readonly ('test' | 'prod')[];
}

export interface DeployedDestination {
  readonly id: string;
  readonly kind: string;
  readonly delivery: 'pull' | 'push';
}

/** A running system, wherever it runs: what every command of the operator works on. */
export interface Deployment extends AsyncDisposable {
  /** As a person would name it: a stack and its region, or a data folder. */
  readonly title: string;
  readonly organizations: readonly DeployedOrganization[];
  readonly destinations: readonly DeployedDestination[];
  readonly cursors: OperatorCursors;
  readonly archive: OperatorArchive;
  readonly ledger: OperatorLedger;
  readonly secrets: OperatorSecrets;
  /** @throws OrglogError `not-found` where there is no such destination */
  queue(destination: string): OperatorQueue;
  /** The organization's log at the provider, read with a credential, its stored one by default. */
  source(organization: DeployedOrganization, credential?: Credential): LogSource & AsyncDisposable;
}
