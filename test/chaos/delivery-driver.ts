import { z } from 'zod';
import type { Excuse } from './evidence.ts';
import type { FunctionProcess } from './function-process.ts';
import { keyOf, type QueueReader, recordOf } from './queue-reader.ts';

const answer = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) });

/** One invocation of a function that delivers; epoch ms. */
interface Delivery {
  readonly keys: ReadonlySet<string>;
  readonly fromMs: number;
  readonly toMs: number;
  readonly hasDied: boolean;
}

/** Lambda's reading of a queue for a function that delivers, with partial batch failure. */
export class DeliveryDriver {
  readonly #queue: QueueReader;
  readonly #deliveries: Delivery[] = [];

  constructor(queue: QueueReader) {
    this.#queue = queue;
  }

  /** Receives a batch and has it delivered. @returns how many messages there were */
  async poll(container: FunctionProcess): Promise<number> {
    const messages = await this.#queue.receive();
    if (messages.length === 0) return 0;
    const fromMs = Date.now();
    const ended = await container.invoke({ Records: messages.map(recordOf) });
    const keys = new Set(messages.map(keyOf));
    this.#deliveries.push({ keys, fromMs, toMs: Date.now(), hasDied: 'error' in ended });
    if ('error' in ended) return messages.length;
    const failed = new Set(
      answer.parse(ended.answer).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    );
    await this.#queue.remove(messages.filter(({ MessageId = '' }) => !failed.has(MessageId)));
    return messages.length;
  }

  get excuses(): Excuse[] {
    const died = this.#deliveries.filter(({ hasDied }) => hasDied);
    const overlapping = this.#deliveries.flatMap((one, index) =>
      this.#deliveries
        .slice(index + 1)
        .filter(
          (other) =>
            other.fromMs < one.toMs &&
            one.fromMs < other.toMs &&
            [...one.keys].some((key) => other.keys.has(key)),
        )
        .map((other) => ({
          fromMs: Math.min(one.fromMs, other.fromMs),
          toMs: Math.max(one.toMs, other.toMs),
        })),
    );
    return [
      ...died.map(({ fromMs, toMs }) => ({ why: 'its sender was killed, or ran out of time', fromMs, toMs })),
      ...overlapping.map((time) => ({ why: 'the queue gave it to two at once', ...time })),
    ];
  }
}
