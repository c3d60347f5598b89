import { backoffMs } from '../backoff.ts';
import { asOrglogError } from '../errors.ts';
import type { EventOutcome, SendOutcome, SinkRequest } from '../ports-delivery.ts';
import type { AnnouncedEvents } from './announced.ts';
import type { DeliveryContext, DeliveryPorts, DeliverySettings } from './delivery.ts';
import { wholeLines } from './lines.ts';
import { type DeliveryTally, type ObjectEnd, type SinkState, type Stop, timeUp } from './object-end.ts';
import { parts, troubleOf } from './pieces.ts';
import { REFUSALS_THAT_STOP, type Refusal, refusedLines, refusedObject } from './refusals.ts';
import { type PendingEvent, type PendingRequest, packed, requestsOf } from './requests.ts';

/** Ledger rows are kept as long as a message can live, twice over (design §5: 30 days). */
const LEDGER_MS = 30 * 86_400_000;
/** That a refused event was taken after all is known as long as an archive may keep it. */
const RETRIED_MS = 10 * 366 * 86_400_000;

/**
 * Delivers one object from where its ledger row says, one request after another, and records each answer before the
 * next request: what is sent twice is only what was answered to nobody. Never rejects.
 */
export async function deliverObject(
  object: AnnouncedEvents,
  ports: DeliveryPorts,
  settings: DeliverySettings,
  context: DeliveryContext,
  shared: { readonly state: SinkState; readonly tally: DeliveryTally },
): Promise<ObjectEnd> {
  try {
    return await new ObjectDelivery(object, ports, settings, context, shared).run();
  } catch (error) {
    if (context.signal.aborted) return timeUp();
    const { code, message } = asOrglogError(error, 'storage');
    return { kind: code === 'configuration' ? 'configuration' : 'retry', reason: message };
  }
}

class ObjectDelivery {
  readonly #object: AnnouncedEvents;
  readonly #ports: DeliveryPorts;
  readonly #settings: DeliverySettings;
  readonly #context: DeliveryContext;
  readonly #state: SinkState;
  readonly #tally: DeliveryTally;
  /** Lines that the ledger has as settled. */
  #recorded = 0;
  /** Refused, with nothing accepted since: not yet known whether the events are at fault. */
  #held: Refusal[] = [];
  /** Refused for good, to be laid into `rejected/` before anything is recorded past them. */
  #due: Refusal[] = [];
  /** Tries of the next request that have failed. */
  #failures = 0;

  constructor(
    object: AnnouncedEvents,
    ports: DeliveryPorts,
    settings: DeliverySettings,
    context: DeliveryContext,
    shared: { readonly state: SinkState; readonly tally: DeliveryTally },
  ) {
    this.#object = object;
    this.#ports = ports;
    this.#settings = settings;
    this.#context = context;
    this.#state = shared.state;
    this.#tally = shared.tally;
  }

  async run(): Promise<ObjectEnd> {
    const early = this.#mustStop();
    if (early !== undefined) return early;
    const { ledger, archive, sink, unpack } = this.#ports;
    const { signal } = this.#context;
    const row = await ledger.read(this.#ledgerKey, signal);
    if (row?.done) return { kind: 'done' };
    this.#recorded = row?.lines ?? 0;
    const stored = await archive.get(this.#object.key, signal);
    if (stored === undefined) {
      const reason = `the archive has no object ${this.#object.key}: put it back, or wait until its message is a dead letter`;
      return { kind: 'retry', reason };
    }
    const texts = this.#isRetry ? refusedLines(stored) : wholeLines(unpack(stored));
    const requests = requestsOf(texts, this.#object, sink, this.#recorded);
    try {
      return await this.#sendAll(requests);
    } finally {
      await requests.return(undefined).catch(() => {});
    }
  }

  async #sendAll(requests: AsyncGenerator<PendingRequest>): Promise<ObjectEnd> {
    // The next request is made while this one is answered.
    const readAhead = () => {
      const next = requests.next();
      next.catch(() => {});
      return next;
    };
    let upcoming = readAhead();
    let last = false;
    for (;;) {
      let next: IteratorResult<PendingRequest>;
      try {
        next = await upcoming;
      } catch (error) {
        if (this.#context.signal.aborted) throw error;
        const { message } = asOrglogError(error, 'storage');
        return {
          kind: 'retry',
          reason: `the archived object ${this.#object.key} cannot be read: ${message}`,
        };
      }
      if (next.done) break;
      const { value } = next;
      upcoming = readAhead();
      last = value.last;
      const stop = await this.#settle(value);
      if (stop !== undefined) return stop;
    }
    if (last) return { kind: 'done' };
    // Nothing was left to send: a run of old had died before it could say so.
    return (await this.#record(this.#recorded, true)) ?? { kind: 'done' };
  }

  /** Sends one request's events until each is settled, in pieces where need be. */
  async #settle({ events, bytes, request, last }: PendingRequest): Promise<Stop | undefined> {
    const { lastLine } = events;
    const halted = this.#mustStop();
    if (halted !== undefined) return halted;
    const outcome = await this.#send(request);
    if (outcome.kind === 'accepted') {
      this.#accept(events.length);
      return await this.#settledTo(lastLine, last);
    }
    // The next piece is on top.
    const pieces: (readonly PendingEvent[])[] = [];
    let stopped = await this.#judged(events.all(), outcome, pieces, { lastLine, last });
    for (let piece = pieces.pop(); piece !== undefined && stopped === undefined; piece = pieces.pop()) {
      stopped = this.#mustStop();
      if (stopped !== undefined) break;
      const answer = await this.#send(await packed(piece, bytes, this.#ports.sink, this.#object.stream));
      stopped = await this.#judged(piece, answer, pieces, { lastLine, last });
    }
    return stopped;
  }

  /** Draws what follows from an outcome: pieces still to be sent, what is recorded, how long to wait. */
  async #judged(
    piece: readonly PendingEvent[],
    outcome: SendOutcome,
    pieces: (readonly PendingEvent[])[],
    { lastLine, last }: { readonly lastLine: number; readonly last: boolean },
  ): Promise<Stop | undefined> {
    const { stop, again } = this.#judge(piece, outcome);
    pieces.push(...again.toReversed());
    const settled = (pieces.at(-1)?.[0]?.line ?? lastLine + 1) - 1;
    const contended = await this.#settledTo(settled, pieces.length === 0 && last && stop === undefined);
    return contended ?? stop ?? (await this.#waitAfter(outcome));
  }

  /** @param complete whether that is all of the object */
  async #settledTo(line: number, complete: boolean): Promise<Stop | undefined> {
    if (complete) this.#due.push(...this.#held.splice(0));
    const firstHeld = Math.min(...this.#held.map(({ event }) => event.line));
    return await this.#record(Math.min(line, firstHeld - 1), complete);
  }

  async #send(request: SinkRequest): Promise<SendOutcome> {
    const { signal } = this.#context;
    this.#tally.requests += 1;
    try {
      return await this.#ports.sink.send(request, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const { code, message } = asOrglogError(error, 'unavailable');
      return { kind: code === 'configuration' ? 'configuration' : 'retry', reason: message };
    }
  }

  /** What an outcome means for its events; `again` are the pieces still to be sent, in order. */
  #judge(
    piece: readonly PendingEvent[],
    outcome: SendOutcome,
  ): { readonly stop?: Stop; readonly again: (readonly PendingEvent[])[] } {
    switch (outcome.kind) {
      case 'accepted':
        this.#accept(piece.length);
        return { again: [] };
      case 'per-event':
        return this.#judgeEach(piece, outcome.events);
      case 'rejected':
      case 'split':
        // Of several events nobody knows which one is meant; of one there is nothing to split.
        return piece.length === 1
          ? this.#judgeEach(piece, [{ ...outcome, kind: 'rejected' }])
          : { again: parts(piece, outcome.kind === 'split' ? outcome.culprit : undefined) };
      case 'retry':
        return { again: [piece] };
      case 'configuration':
        this.#state.halted = outcome;
        return { stop: outcome, again: [piece] };
    }
  }

  #judgeEach(
    piece: readonly PendingEvent[],
    outcomes: readonly EventOutcome[],
  ): { readonly stop?: Stop; readonly again: (readonly PendingEvent[])[] } {
    const rest: PendingEvent[] = [];
    let stop: Stop | undefined;
    for (const [index, event] of piece.entries()) {
      const outcome = outcomes[index] ?? { kind: 'retry' };
      if (stop === undefined && outcome.kind === 'accepted') this.#accept(1);
      else if (stop === undefined && outcome.kind === 'rejected') stop = this.#refuse({ event, ...outcome });
      else rest.push(event);
      if (outcome.kind === 'configuration') stop ??= outcome;
    }
    if (stop !== undefined) this.#state.halted = stop;
    if (rest.length < piece.length) this.#failures = 0;
    return { ...(stop && { stop }), again: rest.length > 0 ? [rest] : [] };
  }

  #accept(count: number): void {
    this.#tally.delivered += count;
    this.#failures = 0;
    this.#state.refusalsRunning = 0;
    this.#due.push(...this.#held.splice(0));
  }

  #refuse(refusal: Refusal): Stop | undefined {
    this.#state.refusalsRunning += 1;
    this.#held.push(refusal);
    const running = Math.max(this.#held.length, this.#state.refusalsRunning);
    if (running < REFUSALS_THAT_STOP) return undefined;
    const reason = `${running} events running were refused, the last one for: ${refusal.reason}. So many mean that the events are not at fault: see to the sink's settings; nothing is lost, and all is tried again`;
    return { kind: 'refusals', reason };
  }

  /** Writes down how far the object is settled, refused events first. */
  async #record(lines: number, done: boolean): Promise<Stop | undefined> {
    const { ledger, archive, clock, observe } = this.#ports;
    const { destination } = this.#settings;
    const { signal } = this.#context;
    const due = this.#due.splice(0);
    for (const refusal of due) {
      // Counted even where an earlier delivery laid it there: that one may have died before it could tell anybody.
      if (!this.#isRetry) await archive.put(refusedObject(refusal, destination, this.#object), signal);
      this.#tally.rejected += 1;
      const { event, reason } = refusal;
      observe({ kind: 'rejected', key: this.#object.key, line: event.line, reason });
    }
    if (lines <= this.#recorded && !done) return undefined;
    // Refused once more: it stays laid aside, and its row stays away, which would say that it was taken.
    if (this.#isRetry && due.length > 0) return undefined;
    const expiresAt = clock.now() + (this.#isRetry ? RETRIED_MS : LEDGER_MS);
    const progress = { ...this.#ledgerKey, expected: this.#recorded, lines, done, expiresAt };
    if ((await ledger.progress(progress, signal)) === 'refused') {
      const reason = `another delivery of ${this.#object.key} to ${destination} is at work: this one stops`;
      return { kind: 'contended', reason };
    }
    this.#recorded = lines;
    return undefined;
  }

  /** Waits before what must be sent again; a stop where that is not worth it. */
  async #waitAfter(outcome: SendOutcome): Promise<Stop | undefined> {
    const trouble = troubleOf(outcome);
    if (trouble === undefined) {
      if (outcome.kind === 'accepted') this.#failures = 0;
      return undefined;
    }
    const { reason, retryAfterMs } = trouble;
    const { clock, random, observe } = this.#ports;
    const { sendUntil, signal } = this.#context;
    this.#failures += 1;
    const delayMs = backoffMs(this.#failures, random(), retryAfterMs);
    const attempts = this.#state.troubled ? 1 : this.#settings.maxAttempts;
    if (this.#failures >= attempts || clock.now() + delayMs >= sendUntil) {
      this.#state.troubled = true;
      return { kind: 'retry', ...trouble };
    }
    observe({ kind: 'retry', key: this.#object.key, reason, attempt: this.#failures, delayMs });
    await clock.sleep(delayMs, signal);
    return undefined;
  }

  #mustStop(): Stop | undefined {
    if (this.#state.halted !== undefined) return this.#state.halted;
    const { sendUntil, signal } = this.#context;
    return signal.aborted || this.#ports.clock.now() >= sendUntil ? timeUp() : undefined;
  }

  get #isRetry(): boolean {
    return this.#object.refusedLine !== undefined;
  }

  get #ledgerKey() {
    return { destination: this.#settings.destination, key: this.#object.key };
  }
}
