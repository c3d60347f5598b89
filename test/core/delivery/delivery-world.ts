import { gzipSync } from 'node:zlib';
import { createDelivery } from '../../../functions/core/delivery/deliver.ts';
import type {
  DeliveryEvent,
  DeliveryPorts,
  DeliveryReport,
  DeliverySettings,
} from '../../../functions/core/delivery/delivery.ts';
import { gunzipped } from '../../../functions/core/delivery/lines.ts';
import { notification } from '../../../functions/core/notification.ts';
import type { ReceivedMessage } from '../../../functions/core/ports.ts';
import type { ProgressRequest } from '../../../functions/core/ports-delivery.ts';
import { never } from '../../contracts/support.ts';
import { MemoryArchive } from '../../memory/memory-archive.ts';
import { MemoryLedger } from '../../memory/memory-ledger.ts';
import { MemoryQueue } from '../../memory/memory-queue.ts';
import { Fuse } from '../simulation/fuse.ts';
import { VirtualSink } from './virtual-sink.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 2, 12);
export const DESTINATION = 'siem';
/** As the stack has it: six times the function's time-out, and receives for four days. */
export const VISIBILITY_MS = 900_000;
export const MAX_RECEIVES = 400;
const SENDING_MS = 110_000;

export interface WorldOptions {
  readonly manner?: 'splunk' | 'elastic';
  readonly limits?: { readonly bytes: number; readonly events: number };
  readonly settings?: Partial<DeliverySettings>;
  /** False leaves objects uncompressed: a simulation then depends on no thread. */
  readonly gzip?: boolean;
}

/** Something that became true, in the order in which it did. */
export type Trace =
  | { readonly kind: 'taken'; readonly id: string }
  | { readonly kind: 'recorded'; readonly key: string; readonly lines: number };

/** Everything that push delivery meets, in memory and virtual time; what it holds survives invocations. */
export class DeliveryWorld {
  now = NOON;
  readonly ledger = new MemoryLedger();
  readonly archive = new MemoryArchive();
  readonly queue: MemoryQueue;
  readonly sink: VirtualSink;
  readonly trace: Trace[] = [];
  readonly events: DeliveryEvent[] = [];
  readonly reports: DeliveryReport[] = [];
  readonly slept: number[] = [];
  /** Event identifier → the line as it was archived. */
  readonly expected = new Map<string, string>();
  readonly keys: string[] = [];
  settings: DeliverySettings;
  private readonly gzip: boolean;

  constructor(options: WorldOptions = {}) {
    const { manner = 'splunk', limits = { bytes: 2_000, events: 3 }, gzip = false } = options;
    this.gzip = gzip;
    this.settings = { destination: DESTINATION, concurrency: 1, maxAttempts: 3, ...options.settings };
    this.queue = new MemoryQueue({
      visibilityMs: VISIBILITY_MS,
      maxReceives: MAX_RECEIVES,
      now: () => this.now,
    });
    this.sink = new VirtualSink(manner, limits, ({ id }) => this.trace.push({ kind: 'taken', id }));
  }

  /** Archive and announce an object of these lines. */
  async announce(lines: readonly string[]): Promise<string> {
    const sequence = this.keys.length + 1;
    const key = `logs/org=institution/dt=2026-01-02/k3v9q-${String(sequence).padStart(12, '0')}.ndjson.gz`;
    this.keys.push(key);
    const plain = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    const body = [this.gzip ? gzipSync(plain) : plain];
    const { bucket, region } = this.archive;
    const stored = await this.archive.put(
      { key, body, contentType: 'application/x-ndjson', metadata: {} },
      never,
    );
    if (stored === 'exists') throw new Error(`${key} was there already`);
    await this.queue.send(notification({ ...stored, bucket, region, key, eventTime: this.now }), never);
    lines.forEach((line, index) => {
      this.expected.set(`institution:logs:k3v9q:${sequence}:${index + 1}`, line);
    });
    return key;
  }

  /**
   * One invocation of a new container, as Lambda makes it: up to ten messages are received, and those that are not
   * reported as failed are removed. A dead one removes none. `undefined`: there was nothing to do.
   */
  async invoke(fuse = new Fuse()): Promise<DeliveryReport | undefined> {
    const received = await this.queue.receive(10, never);
    if (received.length === 0) return undefined;
    const report = await this.deliver(received, fuse);
    this.reports.push(report);
    const failed = new Set(report.failures.map(({ id }) => id));
    const { remove } = fuse.guard({ remove: this.queue.remove.bind(this.queue) });
    for (const { receipt } of received)
      if (!failed.has(receipt)) await remove(receipt, never).catch(() => {});
    return report;
  }

  /** Invocations until the queue is empty, each when a message is visible again. */
  async calm(most = 50): Promise<void> {
    for (let count = 0; count < most; count++) {
      if ((await this.queue.depth(never)).waiting === 0) return;
      await this.invoke();
      this.now += VISIBILITY_MS;
    }
  }

  /** Delivers messages without receiving or removing them. */
  deliver(received: readonly ReceivedMessage[], fuse = new Fuse()): Promise<DeliveryReport> {
    const messages = received.map(({ body, receipt, receiveCount }) => ({
      id: receipt,
      body,
      receipt,
      receiveCount,
    }));
    return this.container(fuse)(messages);
  }

  /** One container of the function. */
  container(fuse = new Fuse()) {
    const deliver = createDelivery(this.ports(fuse), this.settings);
    return (messages: Parameters<typeof deliver>[0]) =>
      deliver(messages, { sendUntil: this.now + SENDING_MS, signal: never });
  }

  /** The lines of `rejected/`, parsed. */
  rejected(): { event_id: string; reason: string; event: string; [member: string]: unknown }[] {
    return [...this.archive.objects]
      .filter(([key]) => key.startsWith('rejected/'))
      .map(([, { bytes }]) => JSON.parse(Buffer.from(bytes).toString()));
  }

  private ports(fuse: Fuse): DeliveryPorts {
    const { archive, ledger, queue, sink } = this;
    const store = guarded(fuse, { get: archive.get.bind(archive), put: archive.put.bind(archive) });
    const wire = guarded(fuse, { send: sink.send.bind(sink) });
    return {
      ledger: fuse.guard({
        read: ledger.read.bind(ledger),
        progress: async (request: ProgressRequest, signal: AbortSignal) => {
          const answer = await ledger.progress(request, signal);
          if (answer === 'written')
            this.trace.push({ kind: 'recorded', key: request.key, lines: request.lines });
          return answer;
        },
      }),
      archive: { bucket: archive.bucket, ...store },
      visibility: fuse.guard({ extendVisibility: queue.extendVisibility.bind(queue) }),
      sink: {
        limits: sink.limits,
        encode: sink.encode.bind(sink),
        pack: sink.pack.bind(sink),
        ...wire,
      },
      clock: {
        now: () => this.now,
        sleep: async (delayMs) => {
          this.slept.push(delayMs);
          this.now += delayMs;
        },
      },
      random: () => 0.5,
      unpack: this.gzip ? gunzipped : (stored) => stored,
      observe: (event) => this.events.push(event),
    };
  }
}

/** Spreading a proxy would take its members past it. */
function guarded<T extends object>(fuse: Fuse, port: T): T {
  const proxy = fuse.guard(port);
  return Object.fromEntries(Object.keys(port).map((name) => [name, Reflect.get(proxy, name)])) as T;
}
