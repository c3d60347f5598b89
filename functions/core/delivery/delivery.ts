import type { Archive, Clock } from '../ports.ts';
import type { Ledger, MessageVisibility, Sink } from '../ports-delivery.ts';

/** What push delivery is given to work with. */
export interface DeliveryPorts {
  readonly ledger: Ledger;
  readonly archive: Pick<Archive, 'bucket' | 'get' | 'put'>;
  readonly visibility: MessageVisibility;
  readonly sink: Sink;
  readonly clock: Clock;
  /** Uniform in [0, 1): jitter. */
  readonly random: () => number;
  /** What a stored object holds, uncompressed: `gunzipped` of lines.ts. */
  readonly unpack: (stored: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Hears of each step as it happens. Must not throw. */
  readonly observe: (event: DeliveryEvent) => void;
}

export interface DeliverySettings {
  /** The destination's id: partition of the ledger, folder under `rejected/`. */
  readonly destination: string;
  /** Objects that are delivered at once. */
  readonly concurrency: number;
  /** How often one request is tried before its message goes back to the queue. */
  readonly maxAttempts: number;
}

export interface DeliveryContext {
  /** Epoch ms after which no request is begun: what remains is for the one under way, and for its record. */
  readonly sendUntil: number;
  /** Fires when everything must have ended. */
  readonly signal: AbortSignal;
}

/** A message as its queue delivered it. */
export interface DeliveredMessage {
  /** Names it in the report. */
  readonly id: string;
  readonly body: string;
  readonly receipt: string;
  /** 1 at the first delivery. */
  readonly receiveCount: number;
}

/** One step, for progress displays and log lines. Never holds an event or a credential. */
export type DeliveryEvent =
  | { readonly kind: 'rejected'; readonly key: string; readonly line: number; readonly reason: string }
  | {
      readonly kind: 'retry';
      readonly key: string;
      readonly reason: string;
      readonly attempt: number;
      readonly delayMs: number;
    };

/** Why a message goes back to the queue; `unreadable`: it names no object of ours, and ends as a dead letter. */
export type FailureKind = 'retry' | 'configuration' | 'refusals' | 'contended' | 'time-up' | 'unreadable';

export interface DeliveryFailure {
  /** The message's. */
  readonly id: string;
  readonly kind: FailureKind;
  readonly reason: string;
  readonly key?: string;
}

/** What one invocation did: its one log line, and the source of its metrics. */
export interface DeliveryReport {
  readonly messages: number;
  /** Events that the sink accepted. */
  readonly delivered: number;
  /** Events laid into `rejected/`. */
  readonly rejected: number;
  readonly requests: number;
  /** Messages that go back to the queue: to be reported as batch item failures. */
  readonly failures: readonly DeliveryFailure[];
  readonly runMs: number;
}
