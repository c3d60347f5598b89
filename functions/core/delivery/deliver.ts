import { type AnnouncedEvents, announced } from './announced.ts';
import { deliverObject } from './deliver-object.ts';
import type {
  DeliveredMessage,
  DeliveryContext,
  DeliveryFailure,
  DeliveryPorts,
  DeliveryReport,
  DeliverySettings,
} from './delivery.ts';
import type { DeliveryTally, ObjectEnd, SinkState } from './object-end.ts';
import { hidingMs, LONGEST_HIDING_MS } from './visibility.ts';

/** One invocation: delivers what the messages announce, and says which of them must come again. Never rejects. */
export type Deliver = (
  messages: readonly DeliveredMessage[],
  context: DeliveryContext,
) => Promise<DeliveryReport>;

type Failed = Pick<DeliveryFailure, 'kind' | 'reason'> & { readonly retryAfterMs?: number };

/** Waits that do not grow with the receive count. */
const SOON_MS = 1_000;
const MINUTE_MS = 60_000;

/** Push delivery to one destination. What one invocation learns about the sink's refusals, the next one knows. */
export function createDelivery(ports: DeliveryPorts, settings: DeliverySettings): Deliver {
  const state: SinkState = { refusalsRunning: 0, halted: undefined, troubled: false };
  return async (messages, context) => {
    state.halted = undefined;
    state.troubled = false;
    const startedAt = ports.clock.now();
    const tally: DeliveryTally = { delivered: 0, rejected: 0, requests: 0 };
    const failures: DeliveryFailure[] = [];

    const putBack = async (message: DeliveredMessage, failed: Failed, key?: string) => {
      const { kind, reason } = failed;
      failures.push({ id: message.id, kind, reason, ...(key !== undefined && { key }) });
      // Without it the message comes back when the queue's own time is over.
      await ports.visibility
        .extendVisibility(message.receipt, delayOf(failed, message, ports.random()), context.signal)
        .catch(() => {});
    };
    const work = async ({ object, messages: same }: Work) => {
      for (const message of same) {
        const end: ObjectEnd = await deliverObject(object, ports, settings, context, { state, tally });
        if (end.kind !== 'done') await putBack(message, end, object.key);
      }
    };

    const objects = new Map<string, Work>();
    for (const message of messages) {
      const announcement = announced(message.body, ports.archive.bucket);
      if (announcement.kind === 'unreadable') await putBack(message, announcement);
      else {
        const { object } = announcement;
        const known = objects.get(object.key);
        if (known === undefined) objects.set(object.key, { object, messages: [message] });
        else known.messages.push(message);
      }
    }
    // One iterator for all workers: each takes what comes next.
    const queue = objects.values();
    const worker = async () => {
      for (const next of queue) await work(next);
    };
    await Promise.all(Array.from({ length: settings.concurrency }, worker));
    return { messages: messages.length, ...tally, failures, runMs: ports.clock.now() - startedAt };
  };
}

/** An object, and the messages that announce it: two of them must not be worked on at once. */
interface Work {
  readonly object: AnnouncedEvents;
  readonly messages: DeliveredMessage[];
}

function delayOf({ kind, retryAfterMs }: Failed, { receiveCount }: DeliveredMessage, random: number): number {
  switch (kind) {
    case 'retry':
      return hidingMs(receiveCount, random, retryAfterMs);
    case 'configuration':
    case 'refusals':
      // Only an operator mends it: no hammering meanwhile.
      return LONGEST_HIDING_MS;
    case 'contended':
    case 'unreadable':
      return MINUTE_MS;
    case 'time-up':
      return SOON_MS;
  }
}
