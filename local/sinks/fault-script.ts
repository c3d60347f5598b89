/** Misbehaviour that any sink is capable of. */
export type WireFault = {
  /** Before anything else of this fault happens: the answer is held back this long. */
  readonly delayMs?: number;
} & (
  | {
      readonly kind: 'status';
      readonly status: number;
      /** A string is sent as it is, anything else as JSON; default: the service's own body for that status, if it has one. */
      readonly body?: unknown;
      /** Seconds, or a date. */
      readonly retryAfter?: number | Date;
      /** Whether the request is carried out all the same: the answer lies. Default false. */
      readonly takesEffect?: boolean;
    }
  /** The connection is reset without an answer; `takesEffect` makes it a lost response. */
  | { readonly kind: 'reset'; readonly takesEffect?: boolean }
  /** No answer ever comes; the client has to give up. */
  | { readonly kind: 'hang'; readonly takesEffect?: boolean }
  /** Carried out; half of the true answer is sent, and the connection is reset. */
  | { readonly kind: 'cut-body' }
  /** Carried out and answered truly, late: a client that gave up meanwhile has had its effect. */
  | { readonly kind: 'delay'; readonly delayMs: number }
);

/** What a fault's condition sees of a request. */
export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  /** Length of the body as sent, bytes. */
  readonly bytes: number;
}

export interface FaultOptions {
  /** How many matching requests it befalls: default 1; `Infinity` = until cleared. */
  readonly times?: number;
  /** Which requests it may befall: default all. */
  readonly on?: (target: FaultTarget) => boolean;
}

interface Entry<F> {
  readonly fault: F;
  readonly on: (target: FaultTarget) => boolean;
  left: number;
}

/**
 * The faults to come. A request takes the first of the counted ones that matches it, in the order they were added; if
 * there is none, the first standing one (`times: Infinity`).
 */
export class FaultScript<F> {
  #entries: Entry<F>[] = [];

  /** Script a fault. `{ kind: 'delay', delayMs: 0 }` lets a request pass, so that the next one meets what follows. */
  add(fault: F, { times = 1, on = () => true }: FaultOptions = {}): this {
    this.#entries.push({ fault, on, left: times });
    return this;
  }

  /** Forget all faults that have not happened. */
  clear(): void {
    this.#entries = [];
  }

  /** How many counted faults have not happened yet. */
  get pending(): number {
    return this.#entries.reduce((sum, entry) => sum + (entry.left === Infinity ? 0 : entry.left), 0);
  }

  /** The fault that befalls a request: it is used up by asking. */
  take(target: FaultTarget): F | undefined {
    const matching = this.#entries.filter((entry) => entry.left > 0 && entry.on(target));
    const entry = matching.find(({ left }) => left !== Infinity) ?? matching[0];
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#entries = this.#entries.filter((other) => other !== entry);
    return entry.fault;
  }
}
