/**
 * What push delivery needs from the world beside the ports of ports.ts, under the same conventions. Each has three
 * implementations held to one contract suite.
 */

/** Which row: one destination's progress through one object. */
export interface LedgerKey {
  readonly destination: string;
  /** The object's. */
  readonly key: string;
}

/** How far one object is delivered. */
export interface LedgerRow extends LedgerKey {
  /** Lines from the object's start that are settled: accepted by the sink, or laid into `rejected/`. */
  readonly lines: number;
  /** Whether that is all of them. */
  readonly done: boolean;
  /** When the row may be forgotten. */
  readonly expiresAt: number;
}

/** `lines` is what `expected` becomes, if it still is what the ledger holds. */
export interface ProgressRequest extends LedgerRow {
  /** Condition: the row's `lines`, and it is not done. 0: there may be no row yet. */
  readonly expected: number;
}

/** What each destination was given of each object: a message that comes again goes on where the last one stopped. */
export interface Ledger {
  /** The row as it stands (strongly consistent), or `undefined`. */
  read(key: LedgerKey, signal: AbortSignal): Promise<LedgerRow | undefined>;
  /** One conditional write. `refused`: another delivery of the same object was faster; this one is to stop. */
  progress(request: ProgressRequest, signal: AbortSignal): Promise<'written' | 'refused'>;
}

/** A received message's time of hiding, as its consumer can change it. */
export interface MessageVisibility {
  /**
   * Hide a received message for `delayMs` from now on, longer or shorter than its queue would (SQS: at most 12 hours
   * after it was received, in whole seconds). A receipt that has lapsed is no error.
   */
  extendVisibility(receipt: string, delayMs: number, signal: AbortSignal): Promise<void>;
}

/** How one event fared. */
export type EventOutcome =
  /** The sink has it, from this request or an earlier one. */
  | { readonly kind: 'accepted' }
  /** The sink could not take it now, or what it said is not understood. */
  | { readonly kind: 'retry'; readonly reason: string }
  /** The sink will never take it. `detail` may quote the event: it goes into the archive, and into no log. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly detail?: string }
  /** The fault is in the settings: no event would fare better. */
  | { readonly kind: 'configuration'; readonly reason: string };

/** How one request fared. `reason` never quotes an event or a secret. */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs?: number }
  /** Only for a request of one event. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly detail?: string }
  /** Nothing of it was taken, and it can be in pieces: too large, or the event at index `culprit` is refused. */
  | { readonly kind: 'split'; readonly reason: string; readonly culprit?: number }
  /** One outcome per event, in the order of the request. */
  | { readonly kind: 'per-event'; readonly events: readonly EventOutcome[]; readonly retryAfterMs?: number }
  | { readonly kind: 'configuration'; readonly reason: string };

/** What an object holds, its key's first segment: events of the sign-in log, or lines of the identity feed. */
export type EventStream = 'logs' | 'identities';

/** One request, ready to be sent as often as needed. */
export interface SinkRequest {
  /** As it goes over the wire: compressed. */
  readonly body: Uint8Array;
  /** How many events it holds. */
  readonly count: number;
  /** Whose they all are. */
  readonly stream: EventStream;
}

/** Where an event comes from. */
export interface EventPlace {
  readonly org: string;
  readonly stream: EventStream;
  /** `<org>:<stream>:<epoch>:<sequence>:<line>`, the line counted from 1: the same at every delivery. */
  readonly eventId: string;
  /** When its object was collected. */
  readonly announcedAt: number;
}

/**
 * One event as the archive holds it: the bytes from `start` to `end` of a longer text, without the line feed. Good until
 * the next one: a million views of their own would cost more than all that is done with them.
 */
export interface EventLine {
  readonly text: Buffer;
  readonly start: number;
  readonly end: number;
}

/** What takes the events in. */
export interface Sink {
  /** What one request may hold: bytes before compression. One event alone may be larger. */
  readonly limits: { readonly bytes: number; readonly events: number };
  /**
   * Writes one event as a request holds it into `into`, from `at` on. Pure; never throws, whatever the line is.
   *
   * @returns where it ends; where there is no room for it, nothing is written, and it is minus the bytes it takes
   */
  encode(line: EventLine, place: EventPlace, into: Buffer, at: number): number;
  /** Makes a request of `count` encoded events, one after another in these pieces, which may be reused afterwards. */
  pack(pieces: readonly Uint8Array[], count: number, stream: EventStream): Promise<SinkRequest>;
  /** Exactly one request (and one more where a credential was changed meanwhile). Rejects as a port does. */
  send(request: SinkRequest, signal: AbortSignal): Promise<SendOutcome>;
}

/** Where a sink's credential comes from. */
export interface SinkCredentials {
  /** The value of the `Authorization` header. `fresh` reads past every cache. Errors name the secret, never its value. */
  authorization(options: { readonly fresh: boolean }, signal: AbortSignal): Promise<string>;
}
