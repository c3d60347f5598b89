import type { Deliver } from '../functions/core/delivery/deliver.ts';
import type {
  DeliveryContext,
  DeliveryFailure,
  DeliveryReport,
  FailureKind,
} from '../functions/core/delivery/delivery.ts';
import { asOrglogError, OrglogError } from '../functions/core/errors.ts';
import type { Clock, MessageQueue, ReceivedMessage } from '../functions/core/ports.ts';

/** One round sends no longer than this: what is left comes back within a second. */
const ROUND_MS = 60_000;
/** After a wish to stop: so long requests are begun, and then so long the last one is waited for. */
const DRAIN_MS = 5_000;
const LAST_REQUEST_MS = 10_000;
/** How long the queue is left alone where nobody wakes the pump. */
const PAUSE_MS = 2_000;
/** The same while a message is to come back soon. */
const SHORT_PAUSE_MS = 200;
/** Between two rounds that failed: doubled from the first to the second. */
const TROUBLED_PAUSE_MS = { first: 2_000, longest: 60_000 };

/** These mend themselves: a next round goes on. */
const NO_TROUBLE: ReadonlySet<FailureKind> = new Set(['time-up', 'contended']);
/** No other message would fare better. */
const SINK_AT_FAULT: ReadonlySet<FailureKind> = new Set(['configuration', 'refusals']);

export type Trouble = Pick<DeliveryFailure, 'kind' | 'reason'>;

export interface PushPumpOptions {
  readonly queue: MessageQueue;
  readonly deliver: Deliver;
  readonly clock: Clock;
  /** Messages that are delivered at once. */
  readonly concurrency: number;
  /** Whether trouble is waited out, rather than thrown. */
  readonly patient: boolean;
  readonly onReport: (report: DeliveryReport) => void;
  /** A round failed; the next one that does not fail is reported only. */
  readonly onTrouble: (trouble: Trouble) => void;
  /** Trouble as the error that ends an impatient pump. */
  readonly toError: (trouble: Trouble) => Promise<OrglogError>;
}

/** Keeps one sink fed from its queue, beside the collector. */
export class PushPump {
  readonly #options: PushPumpOptions;
  #wake: () => void = () => {};
  /** What an impatient pump ends with. */
  #fault: Trouble | undefined;
  #failedRounds = 0;

  constructor(options: PushPumpOptions) {
    this.#options = options;
  }

  /** Something was queued. */
  wake(): void {
    this.#wake();
  }

  /**
   * Deliver what is queued until `noMore` fires and nothing is left to be tried, or a few seconds after `stop` fired:
   * what is not delivered by then stays queued.
   * @throws OrglogError for trouble that is not waited out, once every message was tried that may fare better
   */
  async run(noMore: AbortSignal, stop: AbortSignal): Promise<void> {
    using time = new StopTime(this.#options.clock, stop);
    while (!time.isOver) {
      const round = await this.#round(time, noMore);
      if (round === 'done') break;
      await this.#rest(round, noMore, stop);
    }
    if (this.#fault === undefined || stop.aborted) return;
    // Until then more is queued, and the error says how much.
    if (!noMore.aborted) await new Promise((resolve) => noMore.addEventListener('abort', resolve));
    throw await this.#options.toError(this.#fault);
  }

  /** Delivers what is visible. @returns what comes next */
  async #round(time: StopTime, noMore: AbortSignal): Promise<'more' | 'wait' | 'troubled' | 'done'> {
    const { queue, patient, concurrency, onTrouble } = this.#options;
    try {
      const messages = await queue.receive(concurrency, time.signal);
      if (messages.length === 0) return noMore.aborted && (await this.#isFinished(time)) ? 'done' : 'wait';
      const report = await this.#deliver(messages, time);
      const trouble = report.failures.find(({ kind }) => !NO_TROUBLE.has(kind));
      this.#failedRounds = trouble === undefined ? 0 : this.#failedRounds + 1;
      if (trouble === undefined) return 'more';
      // Its waits were cut short: whatever it says, the next start tries again.
      if (time.isStopping) return 'done';
      onTrouble(trouble);
      if (patient) return 'troubled';
      this.#fault ??= trouble;
      // Without a request, it is the object's trouble: the sink may take the others.
      return SINK_AT_FAULT.has(trouble.kind) || report.requests > 0 ? 'done' : 'more';
    } catch (error) {
      if (time.isOver) return 'done';
      const { message } = asOrglogError(error, 'storage');
      if (!patient || noMore.aborted) throw new OrglogError('storage', message, { cause: error });
      onTrouble({ kind: 'retry', reason: message });
      this.#failedRounds += 1;
      return 'troubled';
    }
  }

  async #deliver(received: readonly ReceivedMessage[], time: StopTime): Promise<DeliveryReport> {
    const { queue, deliver, onReport } = this.#options;
    const messages = received.map((message) => ({ ...message, id: message.receipt }));
    const report = await deliver(messages, time.round());
    const failed = new Set(report.failures.map(({ id }) => id));
    try {
      for (const { id, receipt } of messages) if (!failed.has(id)) await queue.remove(receipt, time.signal);
    } finally {
      onReport(report);
    }
    return report;
  }

  /** Nothing is visible: whether that is the end. */
  async #isFinished(time: StopTime): Promise<boolean> {
    const { queue, patient } = this.#options;
    if (patient || time.isStopping || this.#fault !== undefined) return true;
    return (await queue.depth(time.signal)).waiting === 0;
  }

  async #rest(after: 'more' | 'wait' | 'troubled', noMore: AbortSignal, stop: AbortSignal): Promise<void> {
    if (after === 'more') return;
    const { first, longest } = TROUBLED_PAUSE_MS;
    if (after === 'troubled') {
      const pauseMs = Math.min(longest, first * 2 ** Math.min(this.#failedRounds - 1, 10));
      // New messages are no reason to try sooner.
      await this.#sleep(pauseMs, AbortSignal.any([noMore, stop]));
      return;
    }
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    if (noMore.aborted) await this.#sleep(SHORT_PAUSE_MS, stop);
    else await this.#sleep(PAUSE_MS, AbortSignal.any([woken.signal, noMore]));
  }

  async #sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(delayMs, signal).catch(() => {});
  }
}

/** What a wish to stop leaves of the time. */
class StopTime implements Disposable {
  readonly #clock: Clock;
  readonly #stop: AbortSignal;
  readonly #end = new AbortController();
  #drainedAt = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock, stop: AbortSignal) {
    this.#clock = clock;
    this.#stop = stop;
    if (stop.aborted) this.#begin();
    else stop.addEventListener('abort', this.#begin, { once: true });
  }

  /** Fires when everything must have ended. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get isStopping(): boolean {
    return this.#stop.aborted;
  }

  get isOver(): boolean {
    return this.#clock.now() >= this.#drainedAt;
  }

  /** The time of a round that begins now. */
  round(): DeliveryContext {
    const endsAt = this.#clock.now() + ROUND_MS;
    const drainedAt = () => this.#drainedAt;
    return {
      // Looked at before each request: a wish to stop may come in between.
      get sendUntil() {
        return Math.min(endsAt, drainedAt());
      },
      signal: this.signal,
    };
  }

  [Symbol.dispose](): void {
    this.#stop.removeEventListener('abort', this.#begin);
    clearTimeout(this.#timer);
  }

  readonly #begin = (): void => {
    this.#drainedAt = this.#clock.now() + DRAIN_MS;
    this.#timer = setTimeout(() => this.#end.abort(), DRAIN_MS + LAST_REQUEST_MS);
  };
}
