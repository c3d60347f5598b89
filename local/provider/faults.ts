/** What a scripted fault may ask about the request it is offered to. */
export interface FaultTarget {
  readonly method: string;
  /** Without the query: `/logs/v1/orgLogs`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * One scripted misbehaviour. Those of the first group answer in the service's stead, before any check (as a gateway
 * would); those of the second change what a page says (other answers pass unchanged); those of the third change how
 * the true answer, whatever it is, goes over the wire. Each may come late (`delayMs`).
 */
export type Fault = { readonly delayMs?: number } & (
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Default: `{"detail":"scripted status <n>"}`. */
      readonly body?: string;
      /** Default: `application/json`. */
      readonly contentType?: string;
      /** A number of seconds, or a point in time sent as an HTTP date. */
      readonly retryAfter?: number | Date;
    }
  /** 200 with an HTML page where JSON is expected. */
  | { readonly kind: 'html'; readonly body?: string }
  /** 302 to another address. */
  | { readonly kind: 'redirect'; readonly location: string }
  /** The connection is reset without an answer. */
  | { readonly kind: 'reset' }
  //
  /** `nextToken` is the one supplied (null without one), although events are returned. */
  | { readonly kind: 'repeated-token' }
  | { readonly kind: 'null-token' }
  /** No `nextToken` member at all. */
  | { readonly kind: 'missing-token' }
  /** White space and line ends between all members and values. */
  | { readonly kind: 'pretty' }
  /** `logEvents` comes first, `ref` last. */
  | { readonly kind: 'shifted-order' }
  //
  /** Answers truly, after `delayMs`. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** Content-Length tells the truth, half of the body is sent, and the connection is closed. */
  | { readonly kind: 'cut-body' }
  /** Half of the body, with a Content-Length to match: only the JSON shows that it is not whole. */
  | { readonly kind: 'half-body' }
  /** The body in pieces of `pieceBytes` (default 1024) with a pause after each. */
  | { readonly kind: 'drip'; readonly pauseMs: number; readonly pieceBytes?: number }
  /** White space after the JSON until the body is `bytes` long. */
  | { readonly kind: 'oversized'; readonly bytes: number }
);

export interface FaultOptions {
  /** How many matching requests it befalls: default 1; `Infinity` = until cleared. */
  readonly times?: number;
  /** Which requests it may befall: default all of the service's. */
  readonly on?: (target: FaultTarget) => boolean;
}

interface Entry {
  readonly fault: Fault;
  readonly on: (target: FaultTarget) => boolean;
  left: number;
}

/**
 * The faults to come. A request takes the first of the counted ones that matches it, in the order they were added; if
 * there is none, the first standing one (`times: Infinity`).
 */
export class FaultScript {
  #entries: Entry[] = [];

  /** Script a fault. `{ kind: 'delay', delayMs: 0 }` lets a request pass, so that the next one meets what follows. */
  add(fault: Fault, { times = 1, on = () => true }: FaultOptions = {}): this {
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
  take(target: FaultTarget): Fault | undefined {
    const matching = this.#entries.filter((entry) => entry.left > 0 && entry.on(target));
    const entry = matching.find(({ left }) => left !== Infinity) ?? matching[0];
    if (entry === undefined) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#entries = this.#entries.filter((other) => other !== entry);
    return entry.fault;
  }
}
