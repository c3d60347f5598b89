/**
 * What the core needs from the world, and nothing about how it is done. Each port has three implementations held to
 * one contract suite (`test/contracts/`): in memory (`test/memory/`), embedded (`local/`) and AWS
 * (`functions/adapters/`).
 *
 * Conventions: times are epoch milliseconds; durations end in `Ms`; every call takes the run's `AbortSignal`, and
 * rejects once it fires. A port rejects only with an `OrglogError` (errors.ts): adapters translate, and name the value
 * and what to do. A rejected write may all the same have taken effect (a lost response): the core looks before it
 * repeats one.
 */

/** A day in UTC, `YYYY-MM-DD`. */
export type Day = string;

/** Which row: one organization's one stream, for example `institution` and `logs`. */
export interface RowKey {
  readonly org: string;
  readonly stream: string;
}

/** Who may write, and until when. */
export interface Lease {
  readonly owner: string;
  readonly expiresAt: number;
}

/** A stretch of the log that could not be read. */
export interface Gap {
  /** Epoch ms of the last event or read before the gap. */
  readonly from: number;
  /** Epoch ms where reading went on; equal to `from` where an overlap proved that nothing is missing. */
  readonly to: number;
  readonly reason: 'stale-token' | 'no-token' | 'no-overlap' | 'object-missing';
  /** The token that the provider refused, so that an operator can go back to it; or the key of a missing object. */
  readonly token?: string;
}

/** What a run may change in a row. An absent member stays as it is. */
export interface RowState {
  /** Where the next read starts; absent before the provider gave one. */
  readonly token?: string;
  /** How many batches are committed. */
  readonly sequence: number;
  /** Day → first sequence of that day: with `epoch` it makes every key computable. The last entry is the next key's. */
  readonly days: Readonly<Record<Day, number>>;
  /** Destination → last sequence queued to it. */
  readonly announced: Readonly<Record<string, number>>;
  /** The last 20, oldest first. */
  readonly gaps: readonly Gap[];
  /** Whether the next read can return events that are committed already: the last token did not move past them. */
  readonly rereads: boolean;
  /** A token refused once by a status that proves nothing yet (400, 404, 410); a second refusal makes it stale. */
  readonly refusedToken?: string;
  /** Time of the newest event that is committed. */
  readonly newestEventAt?: number;
  /** When the provider last answered a read. */
  readonly lastReadAt?: number;
  /** Whether that read found the end of the log. */
  readonly caughtUp: boolean;
}

/** The row: one item holding everything that must change together, so that one conditional write is the commit. */
export interface CursorRow extends RowKey, RowState {
  /** Short random name minted when the row is created; part of keys and event ids. */
  readonly epoch: string;
  /** Fingerprint of base URL, orgUrl and filters: another log is another row. */
  readonly source: string;
  readonly lease?: Lease;
  /** Set by an operator: runs leave at once. */
  readonly paused: boolean;
}

export interface AcquireRequest extends RowKey {
  readonly owner: string;
  readonly now: number;
  readonly expiresAt: number;
  /** A lease that ends later than this is no lease of ours (a clock ran wild): it may be taken. */
  readonly latestPossibleExpiry: number;
  /** Used only where there is no row yet: `days` starts as `{[day]: 1}`, all else empty. */
  readonly create: { readonly epoch: string; readonly source: string; readonly day: Day };
}

export type Acquired =
  | { readonly kind: 'held'; readonly row: CursorRow }
  | { readonly kind: 'busy'; readonly lease: Lease };

export interface WriteRequest extends RowKey {
  /** Condition: the lease is this owner's (expired or not: nobody else has taken it). */
  readonly owner: string;
  /** Condition: the row's sequence. Left out only to give up a lease when the row's state is not known. */
  readonly expectedSequence?: number;
  /** Replaces these members whole; an optional member given as `undefined` is removed. */
  readonly set: RowPatch;
  /** Whether the lease is given up by this same write. */
  readonly release: boolean;
}

export type RowPatch = { readonly [K in keyof RowState]?: RowState[K] | undefined } & {
  /** Together, and only while nothing was read: the row becomes another log's, as if it had just been created. */
  readonly epoch?: string;
  readonly source?: string;
};

/** The cursor rows. */
export interface CursorStore {
  /**
   * Take the lease in one write, creating the row where there is none: granted when there is no lease, or it is mine,
   * expired (`expiresAt` ≤ `now`), or ends after `latestPossibleExpiry`. Changes nothing else of an existing row.
   */
  acquire(request: AcquireRequest, signal: AbortSignal): Promise<Acquired>;
  /** One conditional write, all or nothing. `refused`: a condition did not hold, or there is no row. */
  write(request: WriteRequest, signal: AbortSignal): Promise<'written' | 'refused'>;
  /** The row as it stands (strongly consistent), or `undefined`. */
  read(key: RowKey, signal: AbortSignal): Promise<CursorRow | undefined>;
}

/** String-valued, lower-case keys, printable ASCII, well under 2 KB together (S3's limit for user metadata). */
export type ObjectMetadata = Readonly<Record<string, string>>;

export interface StoredObject {
  /** Unquoted entity tag, exactly as a later HEAD reports it. */
  readonly etag: string;
  /** Stored (compressed) bytes. */
  readonly size: number;
}

export interface ObjectHead extends StoredObject {
  readonly metadata: ObjectMetadata;
}

export interface ObjectToPut {
  readonly key: string;
  /** Concatenated to make the object. */
  readonly body: readonly Uint8Array[];
  readonly contentType: string;
  readonly metadata: ObjectMetadata;
}

/** The write-once object store. */
export interface Archive {
  /** What announcements name: bucket and region. */
  readonly bucket: string;
  readonly region: string;
  /** Store under a key that must not exist (`If-None-Match: *`). `exists`: one is there; it was not touched. */
  put(object: ObjectToPut, signal: AbortSignal): Promise<StoredObject | 'exists'>;
  head(key: string, signal: AbortSignal): Promise<ObjectHead | undefined>;
  /** The stored bytes, streamed; `undefined` when there is no such object. */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** One destination's queue, as the collector sees it. */
export interface Outbox {
  /** Queue one message, at least once. */
  send(body: string, signal: AbortSignal): Promise<void>;
}

export interface ReceivedMessage {
  readonly body: string;
  /** Names this one receipt; needed to remove the message. */
  readonly receipt: string;
  /** 1 at the first delivery. */
  readonly receiveCount: number;
}

/** One destination's queue, as its consumer sees it too (SQS standard queue semantics). */
export interface MessageQueue extends Outbox {
  /** At most `max` (1–10) visible messages, which then stay invisible for the queue's visibility time-out. */
  receive(max: number, signal: AbortSignal): Promise<ReceivedMessage[]>;
  /** Done with it. A receipt that has lapsed is no error. */
  remove(receipt: string, signal: AbortSignal): Promise<void>;
  /** How many messages wait (visible or in flight), and how many gave up: approximate on SQS. */
  depth(signal: AbortSignal): Promise<{ readonly waiting: number; readonly dead: number }>;
}

export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** Where a credential comes from. */
export interface CredentialSource {
  /** `fresh` reads past every cache. Errors name the secret, never its value. */
  get(options: { readonly fresh: boolean }, signal: AbortSignal): Promise<Credential>;
}

export interface PageRequest {
  readonly token?: string;
  /** 1–1000 events. */
  readonly limit: number;
  /** Read the credential again, past every cache. */
  readonly freshCredential: boolean;
}

/** One answer's worth of truth: unknown means failed. The core decides what is tried again. */
export type PageAnswer =
  /** `contentType` as it may be shown: short, one line, nothing in it of what was sent. */
  | { readonly kind: 'body'; readonly body: Buffer; readonly contentType: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The provider's `detail`, or the start of its text: at most 500 characters, one line. */
      readonly detail: string;
      /** 422 only: whether a `loc` names `nextToken`. */
      readonly namesToken: boolean;
      /** From `Retry-After`, seconds or date. */
      readonly retryAfterMs?: number;
    }
  /** The body passed the bound (64 MiB). */
  | { readonly kind: 'too-large'; readonly detail: string }
  /** The answer took longer than a page may. */
  | { readonly kind: 'too-slow'; readonly detail: string }
  /** Refused, reset, unresolved, truncated, … */
  | { readonly kind: 'broken'; readonly detail: string };

/** The provider's log interface (logs-v1.md) for one orgUrl with its filters. Exactly one exchange per call. */
export interface LogSource {
  /** Rejects only when the signal fires or the credential cannot be read. */
  readPage(request: PageRequest, signal: AbortSignal): Promise<PageAnswer>;
  /** What `/orgUrls` permits; `undefined` when it cannot be told. */
  permittedOrgUrls(signal: AbortSignal): Promise<readonly string[] | undefined>;
}

/** The only clock the core knows. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `delayMs`; rejects when the signal fires. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

/** Compresses one batch. */
export interface Compressor {
  /** Resolves when more may be written (back-pressure); the bytes may be reused only then. */
  write(bytes: Uint8Array): Promise<void>;
  /** Compressed bytes so far: lags behind what was written. */
  readonly size: number;
  /** Ends the stream and hands over all of it. */
  finish(): Promise<readonly Uint8Array[]>;
  /** Gives up, freeing what it holds. */
  discard(): void;
}
