/** How the delivery of one object ended. All but `done` are tried again: the message stays in the queue. */
export type ObjectEnd =
  | { readonly kind: 'done' }
  /** Passing trouble, of the sink or of a store. */
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs?: number }
  /** An operator is needed. */
  | { readonly kind: 'configuration'; readonly reason: string }
  /** A hundred refusals running: nothing of them was laid into `rejected/`. */
  | { readonly kind: 'refusals'; readonly reason: string }
  /** Another delivery of the same object was faster. */
  | { readonly kind: 'contended'; readonly reason: string }
  /** Time ran out between two requests. */
  | { readonly kind: 'time-up'; readonly reason: string };

/** Why an object's delivery goes no further for now. */
export type Stop = Exclude<ObjectEnd, { kind: 'done' }>;

/** What the deliveries of one container know of the sink together. */
export interface SinkState {
  /** Refusals since anything was accepted. */
  refusalsRunning: number;
  /** A fault that is no single object's: nothing more is sent in this invocation. */
  halted: Stop | undefined;
  /** Trouble outlasted one object's attempts: others make one attempt each in this invocation. */
  troubled: boolean;
}

/** Counts of one invocation. */
export interface DeliveryTally {
  /** Events that the sink accepted. */
  delivered: number;
  /** Events laid into `rejected/`. */
  rejected: number;
  requests: number;
}

export function timeUp(): Stop {
  return { kind: 'time-up', reason: 'the function has no time left: the next delivery goes on' };
}
