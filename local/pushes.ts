import { asOrglogError, OrglogError } from '../functions/core/errors.ts';
import type { DeployedDestination } from '../functions/core/operate/ports.ts';
import type { Outbox } from '../functions/core/ports.ts';
import { Push, type PushOptions, type PushStanding } from './push.ts';
import type { PushOrder } from './push-sink.ts';

/** What a session brought into one sink. */
export interface Pushed extends PushStanding {
  /** Events that a stand-in holds at the end, or that a real sink accepted in this session. */
  readonly arrived: number;
}

/** All destinations by push of a session: none holds up another. */
export class Pushes implements AsyncDisposable {
  readonly #all: readonly Push[];
  readonly #opened: AsyncDisposableStack;

  private constructor(all: readonly Push[], opened: AsyncDisposableStack) {
    this.#all = all;
    this.#opened = opened;
  }

  /** Opens each sink and its queue; nothing is sent yet. @throws OrglogError */
  static async open(orders: readonly PushOrder[], options: Omit<PushOptions, 'order'>): Promise<Pushes> {
    await using opened = new AsyncDisposableStack();
    const all: Push[] = [];
    for (const order of orders) all.push(opened.use(await Push.open({ ...options, order })));
    return new Pushes(all, opened.move());
  }

  /** Destination → its queue. */
  get outboxes(): [destination: string, queue: Outbox][] {
    return this.#all.map(({ destination, queue }) => [destination, queue]);
  }

  get destinations(): DeployedDestination[] {
    return this.#all.map(({ destination, kind }) => ({ id: destination, kind, delivery: 'push' }));
  }

  /** Something was queued for this destination. */
  wake(destination: string): void {
    for (const push of this.#all) if (push.destination === destination) push.pump.wake();
  }

  standings(signal: AbortSignal): Promise<PushStanding[]> {
    return Promise.all(this.#all.map((push) => push.standing(signal)));
  }

  pushed(signal: AbortSignal): Promise<Pushed[]> {
    const standing = async (push: Push) => ({ ...(await push.standing(signal)), arrived: push.arrived });
    return Promise.all(this.#all.map(standing));
  }

  /** Delivers beside the collector: see {@link PushPump.run}. @throws OrglogError of all that ended in trouble */
  async run(noMore: AbortSignal, stop: AbortSignal): Promise<void> {
    const ends = await Promise.allSettled(this.#all.map(({ pump }) => pump.run(noMore, stop)));
    const errors = ends.flatMap((end) =>
      end.status === 'rejected' ? asOrglogError(end.reason, 'storage') : [],
    );
    const [first] = errors;
    if (first === undefined) return;
    throw new OrglogError(first.code, errors.map(({ message }) => message).join('; '), { cause: first });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}
