import { systemClock } from '../functions/adapters/system-clock.ts';
import { createDelivery } from '../functions/core/delivery/deliver.ts';
import type { DeliveryReport } from '../functions/core/delivery/delivery.ts';
import { gunzipped } from '../functions/core/delivery/lines.ts';
import { OrglogError } from '../functions/core/errors.ts';
import type { Clock, CursorRow } from '../functions/core/ports.ts';
import type { SendOutcome, Sink } from '../functions/core/ports-delivery.ts';
import type { Backend } from './backend.ts';
import { PushPump, type Trouble } from './push-pump.ts';
import { type OpenSink, openSink, type PushOrder } from './push-sink.ts';
import type { SqliteQueue } from './sqlite-queue.ts';

/** Each holds a request or two in memory. */
const CONCURRENCY = 2;
/** A passing trouble of seconds is outlasted; a longer one is the queue's to wait out. */
const MAX_ATTEMPTS = 3;

/** How the push to one sink stands. */
export interface PushStanding {
  readonly name: PushOrder['name'];
  readonly standIn: boolean;
  /** Whether the destination was added to a log that had been collected: it gets what is collected from now on. */
  readonly isNew: boolean;
  /** Events that the sink accepted in this session. */
  readonly delivered: number;
  /** Events that it refused in this session: they lie under `rejected/` in the archive. */
  readonly rejected: number;
  /** Batches still to be delivered. */
  readonly waiting: number;
  /** Batches set aside after too many tries. */
  readonly dead: number;
  /** What failed last, until something goes well again. */
  readonly trouble?: string;
}

export interface PushOptions {
  readonly order: PushOrder;
  readonly backend: Backend;
  /** The log's, where there is one already. */
  readonly row: CursorRow | undefined;
  readonly patient: boolean;
  /** Cuts the waits between tries short. */
  readonly stop: AbortSignal;
  readonly onChange: () => void;
}

/** One destination by push: its queue, the delivery core over the embedded ports, and the sink at the end. */
export class Push implements AsyncDisposable {
  readonly queue: SqliteQueue;
  readonly pump: PushPump;
  readonly #open: OpenSink;
  readonly #onChange: () => void;
  readonly #isNew: boolean;
  /** Accepted in rounds that have ended, and in the one under way. */
  #delivered = 0;
  #underWay = 0;
  #rejected = 0;
  #trouble: string | undefined;

  private constructor(open: OpenSink, { backend, row, patient, stop, onChange }: PushOptions) {
    const { archive, ledger } = backend;
    this.#open = open;
    this.#onChange = onChange;
    this.#isNew = row !== undefined && row.sequence > 0 && row.announced[open.destination] === undefined;
    this.queue = backend.pushQueue(open.destination);
    const ports = {
      ...{ ledger, archive, visibility: this.queue, clock: hastyOnce(stop), random: Math.random },
      sink: counting(open.sink, (accepted) => {
        this.#underWay += accepted;
        onChange();
      }),
      unpack: gunzipped,
      observe: () => {},
    };
    const settings = {
      ...{ destination: open.destination, concurrency: CONCURRENCY, maxAttempts: MAX_ATTEMPTS },
    };
    this.pump = new PushPump({
      ...{ queue: this.queue, clock: systemClock, concurrency: CONCURRENCY, patient },
      deliver: createDelivery(ports, settings),
      onReport: (report) => this.#add(report),
      onTrouble: (trouble) => {
        this.#trouble = this.#sentence(trouble);
        onChange();
      },
      toError: (trouble) => this.#error(trouble),
    });
  }

  /** Opens the sink and its queue; nothing is sent yet. @throws OrglogError `configuration`, `storage`, `unavailable` */
  static async open(options: PushOptions): Promise<Push> {
    const open = await openSink(options.order);
    try {
      return new Push(open, options);
    } catch (error) {
      await open[Symbol.asyncDispose]();
      throw error;
    }
  }

  get destination(): string {
    return this.#open.destination;
  }

  get kind(): PushOrder['name'] {
    return this.#open.order.name;
  }

  /** Events that a stand-in holds, or that a real sink accepted in this session. */
  get arrived(): number {
    return this.#open.held?.() ?? this.#delivered;
  }

  async standing(signal: AbortSignal): Promise<PushStanding> {
    const { waiting, dead } = await this.queue.depth(signal);
    const { name, real } = this.#open.order;
    return {
      ...{ name, standIn: real === undefined, isNew: this.#isNew },
      ...{ delivered: this.#delivered + this.#underWay, rejected: this.#rejected, waiting, dead },
      ...(this.#trouble !== undefined && { trouble: this.#trouble }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open[Symbol.asyncDispose]();
  }

  #add({ delivered, rejected, failures }: DeliveryReport): void {
    this.#delivered += delivered;
    this.#underWay = 0;
    this.#rejected += rejected;
    if (failures.length === 0) this.#trouble = undefined;
    this.#onChange();
  }

  async #error(trouble: Trouble): Promise<OrglogError> {
    const { waiting } = await this.queue.depth(new AbortController().signal);
    const batches = waiting === 1 ? '1 batch waits' : `${waiting} batches wait`;
    const { kind } = trouble;
    return new OrglogError(
      kind === 'configuration' || kind === 'refusals' ? 'configuration' : 'unavailable',
      `${this.#sentence(trouble)}; ${batches}, and the next start tries again`,
    );
  }

  #sentence({ kind, reason }: Trouble): string {
    const { name, real } = this.#open.order;
    // The core does not know where a credential is kept.
    const hint = kind === 'configuration' && real ? ` (the credential comes from ${real.variables})` : '';
    return `${name}: ${reason}${hint}`;
  }
}

/** The machine's clock, whose waits end when `stop` fires. */
function hastyOnce(stop: AbortSignal): Clock {
  return {
    now: systemClock.now,
    sleep: (delayMs, signal) => systemClock.sleep(delayMs, AbortSignal.any([signal, stop])),
  };
}

/** The sink, telling of each answer how many events it accepted: an object of many requests takes a while. */
function counting(sink: Sink, onAccepted: (events: number) => void): Sink {
  return {
    ...sink,
    async send(request, signal) {
      const outcome = await sink.send(request, signal);
      onAccepted(acceptedOf(outcome, request.count));
      return outcome;
    },
  };
}

function acceptedOf(outcome: SendOutcome, count: number): number {
  if (outcome.kind === 'accepted') return count;
  if (outcome.kind !== 'per-event') return 0;
  return outcome.events.filter(({ kind }) => kind === 'accepted').length;
}
