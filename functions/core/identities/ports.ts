import type { OrglogError } from '../errors.ts';
import type { RunPorts, SettlementEvent } from '../run.ts';
import type { Identity, IdentityEnvironment, IdentityPage } from './identity.ts';

/** What a walk reads of the provider's identity records. Every call rejects with an `OrglogError` only. */
export interface IdentitySource {
  /** What the provider says of the credential itself. */
  granted(environment: IdentityEnvironment, signal: AbortSignal): Promise<Grant>;
  /**
   * One page of 50 in ascending order of `createTime`: of all identities, without their collections; or of those that
   * hold a collection of `authority`, with them.
   */
  page(request: IdentityPageRequest, signal: AbortSignal): Promise<IdentityPage>;
  /** One identity with its collections; `undefined` when the provider has none (404). */
  fetch(serviceUid: string, signal: AbortSignal): Promise<Identity | undefined>;
}

export interface Grant {
  /** The organization that the credential was provisioned for. */
  readonly orgDomain: string;
  /** Whether it may read hosted credentials. */
  readonly hosted: boolean;
  /** The authorities that its permissions name for the environment. */
  readonly authorities: readonly string[];
}

export interface IdentityPageRequest {
  readonly environment: IdentityEnvironment;
  readonly authority?: string;
  /** From 1. */
  readonly page: number;
}

/** What one run of the sync is given to work with. */
export interface SyncPorts
  extends Pick<RunPorts, 'cursors' | 'archive' | 'outboxes' | 'clock' | 'random' | 'newCompressor'> {
  readonly source: IdentitySource;
  /** A value as it leaves: the same for the same value, walk for walk, under one stable secret. Never reversible. */
  readonly pseudonym: (value: string) => string;
  /** Hears of each step as it happens. Must not throw. */
  readonly observe: (event: SyncEvent) => void;
}

export interface SyncSettings {
  readonly org: string;
  readonly environment: IdentityEnvironment;
  readonly baseUrl: string;
  /** From the start of one walk to the start of the next. */
  readonly everyMs: number;
  /** Whose collections are read; default: those that the credential's permissions name, as far as it may read them. */
  readonly authorities?: readonly string[];
  /** Names of members (`mail`, `givenName`, `sn`) and attributes whose values leave as pseudonyms. */
  readonly redact: readonly string[];
  /** Names the secret that pseudonyms are made with: with another one, values cannot be compared. */
  readonly pseudonymKeyId: string;
  /** Which snapshots are announced whole: only the first, or every one. */
  readonly snapshots: 'first' | 'every';
  /** A feed batch is closed once its compressed bytes pass this. */
  readonly batchBytes: number;
  readonly leaseMs: number;
}

/** One step of a sync. Never holds a record, a credential or a value of one. */
export type SyncEvent =
  | {
      readonly kind: 'walk';
      readonly walk: number;
      readonly identities: number;
      readonly authorities: number;
    }
  | { readonly kind: 'page'; readonly items: number; readonly page: number; readonly of: number }
  | { readonly kind: 'snapshot'; readonly walk: number; readonly partition: number; readonly of: number }
  | SettlementEvent
  /** The permissions name it, and its list may not be read. */
  | { readonly kind: 'authority-left-out'; readonly authority: string; readonly reason: string }
  | { readonly kind: 'unconfirmed'; readonly count: number; readonly reason: string };

/** How a run ended and what it did. */
export interface SyncReport {
  /**
   * `complete`: a snapshot was finished; `time-up`: the walk goes on at the next tick; `not-due`: the last walk began
   * less than the period ago; else as in RunReport.
   */
  readonly outcome: 'complete' | 'time-up' | 'not-due' | 'busy' | 'paused' | 'failed';
  readonly error?: OrglogError;
  /** Pages read. */
  readonly pages: number;
  /** Of the walk that was finished. */
  readonly identities: number;
  /** Feed lines committed, and what they are. */
  readonly events: number;
  readonly byAction: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly batches: number;
  readonly adopted: number;
  readonly announced: number;
  readonly owed: Readonly<Record<string, number>>;
  /** Removals and unlinkings that the provider did not confirm: kept as they were. */
  readonly unconfirmed: number;
  /** Number of the last finished walk; absent before the first. */
  readonly walk?: number;
  /** now − the start of the last finished walk; before there is one, of the walk under way. */
  readonly snapshotAgeSeconds?: number;
  readonly runMs: number;
}
