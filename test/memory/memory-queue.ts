import type { DeadLetter, OperatorQueue, QueueStanding } from '../../functions/core/operate/ports.ts';
import type { ReceivedMessage } from '../../functions/core/ports.ts';
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
  queuedAt: number;
  visibleAt: number;
  receives: number;
}

/** A queue in virtual time. Every call takes effect at once and resolves in a microtask. */
export class MemoryQueue implements OperatorQueue, MessageVisibility {
  readonly #settings: MemoryQueueSettings;
  readonly #sent: string[] = [];
  readonly #waiting = new Map<number, Message>();
  readonly #dead: Message[] = [];

  constructor(settings: MemoryQueueSettings) {
    this.#settings = settings;
  }

  async send(body: string, signal: AbortSignal): Promise<void> {
    throwIfAborted(signal, 'Sending a message');
    const id = this.#sent.push(body);
    const now = this.#settings.now();
    this.#waiting.set(id, { id, body, queuedAt: now, visibleAt: now, receives: 0 });
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
        this.#dead.push(message);
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

  async standing(signal: AbortSignal): Promise<QueueStanding> {
    throwIfAborted(signal, 'Counting messages');
    const now = this.#settings.now();
    const waiting = [...this.#waiting.values()];
    const visible = waiting.filter(({ visibleAt }) => visibleAt <= now).length;
    const oldest = Math.min(...waiting.map(({ queuedAt }) => queuedAt));
    return {
      visible,
      inFlight: waiting.length - visible,
      ...(waiting.length > 0 && { oldestAgeSeconds: (now - oldest) / 1000 }),
      dead: this.#dead.length,
    };
  }

  async peekDead(max: number, signal: AbortSignal): Promise<readonly DeadLetter[]> {
    throwIfAborted(signal, 'Reading dead letters');
    return this.#dead.slice(0, max).map(({ body, queuedAt, receives: receiveCount }) => {
      return { body, queuedAt, receiveCount };
    });
  }

  async redrive(signal: AbortSignal): Promise<number> {
    throwIfAborted(signal, 'Redriving dead letters');
    const now = this.#settings.now();
    const dead = this.#dead.splice(0);
    for (const message of dead) {
      this.#waiting.set(message.id, { ...message, queuedAt: now, visibleAt: now, receives: 0 });
    }
    return dead.length;
  }

  /** For tests: every body ever sent, in order, repeats included. */
  get sent(): readonly string[] {
    return this.#sent;
  }

  /** For tests: the bodies that were set aside. */
  get dead(): readonly string[] {
    return this.#dead.map(({ body }) => body);
  }
}
