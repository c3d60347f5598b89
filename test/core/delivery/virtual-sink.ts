import type {
  EventLine,
  EventOutcome,
  EventPlace,
  EventStream,
  SendOutcome,
  Sink,
  SinkRequest,
} from '../../../functions/core/ports-delivery.ts';

/** What the sink holds and was asked, in the order in which it became true. */
export interface TakenEvent {
  readonly id: string;
  readonly text: string;
}

/**
 * How a scripted answer differs: `undefined` leaves it to the sink; `take` makes the events arrive all the same (some of
 * them, where it is a number).
 */
export interface Scripted {
  readonly outcome: SendOutcome;
  readonly take?: boolean | number;
}

/** What a script sees. */
export interface SinkCall {
  readonly number: number;
  readonly events: readonly TakenEvent[];
}

/** The line of an event that no sink takes. */
export const POISON = 'poison';

/**
 * A sink in memory, in the manner of one vendor. `splunk`: a request is taken whole, or not at all where one event of it
 * is refused, and what comes twice is there twice. `elastic`: every event has an outcome of its own, and what is there
 * is not taken again.
 */
export class VirtualSink implements Sink {
  readonly limits: Sink['limits'];
  /** Every event that arrived, repeats included. */
  readonly taken: TakenEvent[] = [];
  readonly requests: (readonly TakenEvent[])[] = [];
  script: (call: SinkCall) => Scripted | undefined = () => undefined;
  isPoison: (text: string) => boolean = (text) => text.includes(POISON);
  readonly #manner: 'splunk' | 'elastic';
  readonly #onTaken: (event: TakenEvent) => void;
  readonly #present = new Set<string>();

  constructor(
    manner: 'splunk' | 'elastic',
    limits: Sink['limits'],
    onTaken: (event: TakenEvent) => void = () => {},
  ) {
    this.#manner = manner;
    this.limits = limits;
    this.#onTaken = onTaken;
  }

  encode({ text, start, end }: EventLine, { eventId }: EventPlace, into: Buffer, at: number): number {
    const event = Buffer.from(`${eventId}\t${text.subarray(start, end)}\n`);
    if (at + event.length > into.length) return -event.length;
    return at + event.copy(into, at);
  }

  async pack(pieces: readonly Uint8Array[], count: number, stream: EventStream): Promise<SinkRequest> {
    return { body: Buffer.concat(pieces), count, stream };
  }

  async send({ body, count }: SinkRequest): Promise<SendOutcome> {
    const events = Buffer.from(body)
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((text) => ({ id: text.slice(0, text.indexOf('\t')), text: text.slice(text.indexOf('\t') + 1) }));
    if (events.length !== count) throw new Error(`a request of ${count} events holds ${events.length}`);
    this.requests.push(events);
    const scripted = this.script({ number: this.requests.length, events });
    if (scripted === undefined) return this.#answer(events);
    const some = typeof scripted.take === 'number' ? events.slice(0, scripted.take) : events;
    if (scripted.take !== undefined && scripted.take !== false) this.#answer(some);
    return scripted.outcome;
  }

  /** Identifiers of what the sink holds. */
  get ids(): readonly string[] {
    return this.taken.map(({ id }) => id);
  }

  #answer(events: readonly TakenEvent[]): SendOutcome {
    if (this.#manner === 'elastic') {
      return { kind: 'per-event', events: events.map((event) => this.#takeOne(event)) };
    }
    const culprit = events.findIndex(({ text }) => this.isPoison(text));
    if (culprit >= 0) {
      return events.length === 1 ? REFUSED : { kind: 'split', reason: 'one is invalid', culprit };
    }
    for (const event of events) this.#take(event);
    return { kind: 'accepted' };
  }

  #takeOne(event: TakenEvent): EventOutcome {
    if (this.isPoison(event.text)) return REFUSED;
    if (!this.#present.has(event.id)) this.#take(event);
    return { kind: 'accepted' };
  }

  #take(event: TakenEvent): void {
    this.#present.add(event.id);
    this.taken.push(event);
    this.#onTaken(event);
  }
}

const REFUSED = { kind: 'rejected', reason: 'the event is invalid', detail: 'for a reason' } as const;

/** Outcomes to script with. */
export const DOWN: Scripted = { outcome: { kind: 'retry', reason: 'the connection was refused' } };
export const LOST: Scripted = { outcome: { kind: 'retry', reason: 'the connection was reset' }, take: true };
export const UNAUTHORIZED: Scripted = {
  outcome: { kind: 'configuration', reason: 'the sink answered 401' },
};
