/** How often a channel's acknowledgement was asked for, before this time. */
export interface AckPoll {
  readonly channel: string;
  readonly ackId: number;
  readonly polls: number;
}

/**
 * Indexer acknowledgement (Splunk Enterprise): every request on a channel gets the channel's next number, and its
 * sender asks until the number is acknowledged. A number that was answered `true` is forgotten: asked for again, it is
 * `false`. https://help.splunk.com/splunk-enterprise/get-data-in/collect-http-event-data/about-http-event-collector-indexer-acknowledgment
 */
export class Acknowledgements {
  readonly #channels = new Map<
    string,
    { next: number; waiting: Map<number, { polls: number; lost: boolean }> }
  >();
  readonly #indexed: (poll: AckPoll) => boolean;

  /** `indexed` decides at each poll whether the request has been indexed by now. */
  constructor(indexed: (poll: AckPoll) => boolean) {
    this.#indexed = indexed;
  }

  /** The number of a request on its channel. `lost`: its events were never indexed, and it will never be acknowledged. */
  issue(channel: string, lost: boolean): number {
    const state = this.#channels.get(channel) ?? { next: 0, waiting: new Map() };
    this.#channels.set(channel, state);
    const ackId = state.next;
    state.next += 1;
    state.waiting.set(ackId, { polls: 0, lost });
    return ackId;
  }

  /** The answer to one question about several numbers. */
  ask(channel: string, ackIds: readonly number[]): Record<string, boolean> {
    return Object.fromEntries(ackIds.map((ackId) => [String(ackId), this.#isIndexed(channel, ackId)]));
  }

  #isIndexed(channel: string, ackId: number): boolean {
    const waiting = this.#channels.get(channel)?.waiting;
    const entry = waiting?.get(ackId);
    if (waiting === undefined || entry === undefined) return false;
    const indexed = !entry.lost && this.#indexed({ channel, ackId, polls: entry.polls });
    entry.polls += 1;
    if (indexed) waiting.delete(ackId);
    return indexed;
  }
}
