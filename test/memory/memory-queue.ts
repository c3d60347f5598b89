import type { MessageQueue, ReceivedMessage } from '../../functions/core/ports.ts';
import type { MessageVisibility } from '../../functions/core/ports-delivery.ts';
import { throwIfAborted } from '../../local/aborted.ts';

export interface MemoryQueueSettings {
  readonly visibilityMs: number;
  /** A message received this often without being removed is set aside by the next receive. */
  readonly maxReceives: number;
  /** Epoch ms, of virtual time. */
  readonly now: () => number;
}

interface Message {
  readonly id: number;
  readonly body: string;
  visibleAt: number;
  receives: number;
}

/** A queue in virtual time. Every call takes effect at once and resolves in a microtask. */
export class MemoryQueue implements MessageQueue, MessageVisibility {
  readonly #settings: MemoryQueueSettings;
  readonly #sent: string[] = [];
  readonly #waiting = new Map<number, Message>();
  readonly #dead: string[] = [];

  constructor(settings: MemoryQueueSettings) {
    this.#settings = settings;
  }

  async send(body: string, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'Sending a message');
    const id = this.#sent.push(body);
    this.#waiting.set(id, { id, body, visibleAt: this.#settings.now(), receives: 0 });
  }

  async receive(max: number, signal: AbortSignal): Promise<ReceivedMessage[]> {
    throwIfAborted(signal, 'Receiving messages');
    const { visibilityMs, maxReceives } = this.#settings;
    const now = this.#settings.now();
    const received: ReceivedMessage[] = [];
    for (const message of this.#waiting.values()) {
      if (received.length === max) break;
      if (message.visibleAt > now) continue;
      if (message.receives >= maxReceives) {
        this.#waiting.delete(message.id);
        this.#dead.push(message.body);
        continue;
      }
      message.receives += 1;
      message.visibleAt = now + visibilityMs;
      const receipt = `${message.id}.${message.receives}`;
      received.push({ body: message.body, receipt, receiveCount: message.receives });
    }
    return received;
  }

  async remove(receipt: string, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'Removing a message');
    const [id, receives] = receipt.split('.').map(Number);
    if (id !== undefined && this.#waiting.get(id)?.receives === receives) this.#waiting.delete(id);
  }

  async extendVisibility(receipt: string, delayMs: number, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'Hiding a message');
    const [id, receives] = receipt.split('.').map(Number);
    const message = this.#waiting.get(id ?? Number.NaN);
    if (message !== undefined && message.receives === receives)
      message.visibleAt = this.#settings.now() + delayMs;
  }

  async depth(signal: AbortSignal): Promise<{ readonly waiting: number; readonly dead: number }> {
    throwIfAborted(signal, 'Counting messages');
    return { waiting: this.#waiting.size, dead: this.#dead.length };
  }

  /** For tests: every body ever sent, in order, repeats included. */
  get sent(): readonly string[] {
    return this.#sent;
  }

  /** For tests: the bodies that were set aside. */
  get dead(): readonly string[] {
    return this.#dead;
  }
}
