/**
 * The embedded system in a process of its own: collects a log to its end, run after run, and delivers what is queued to
 * a sink beside that. Parameter: JSON as in `FlowParameters`. Prints a line of JSON (`FlowSample`) every half second, and
 * one last of what it did (`FlowTotals`).
 */
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpLogSource } from '../../functions/adapters/http-log-source.ts';
import { createSplunkHecSink } from '../../functions/adapters/splunk-hec-sink.ts';
import { systemClock } from '../../functions/adapters/system-clock.ts';
import { collect } from '../../functions/core/collect.ts';
import { announced } from '../../functions/core/delivery/announced.ts';
import { createDelivery } from '../../functions/core/delivery/deliver.ts';
import { gunzipped } from '../../functions/core/delivery/lines.ts';
import { gzipCompressor } from '../../functions/core/gzip.ts';
import { openBackend } from '../../local/backend.ts';
import type { FlowParameters, FlowSample, FlowTotals } from './flow.ts';

const RUN_MS = 15_000;
const LEASE_MS = 600_000;
const SAMPLE_MS = 500;
/** Objects that wait at most: the collector is not to run ahead of the sink for ever, and fill the disk. */
const MOST_WAITING = 8;
const DESTINATION = 'splunk';

const { providerUrl, sinkUrl, folder }: FlowParameters = JSON.parse(process.argv[2] ?? '');
const never = new AbortController().signal;
await using backend = await openBackend(folder);
const queue = backend.pushQueue(DESTINATION);
const credentials = { get: async () => ({ username: 'soak', password: 'soak' }) };
const orgUrl = 'https://institution.edu/';
await using source = createHttpLogSource({ baseUrl: providerUrl, orgUrl, credentials });
const connection = { url: sinkUrl, credentials: { authorization: async () => 'Splunk soak' } };
await using sink = createSplunkHecSink({ ...connection, clock: systemClock });

const totals: FlowTotals = { collected: 0, batches: 0, runs: 0, delivered: 0, failures: 0 };
const deliver = createDelivery(
  {
    ...{ ledger: backend.ledger, archive: backend.archive, visibility: queue, sink, clock: systemClock },
    ...{ random: Math.random, unpack: gunzipped, observe: () => {} },
  },
  { destination: DESTINATION, concurrency: 2, maxAttempts: 3 },
);
let isCollected = false;

async function collectAll(): Promise<void> {
  for (;;) {
    while ((await queue.depth(never)).waiting > MOST_WAITING) await systemClock.sleep(50, never);
    const report = await collect(
      {
        ...{ cursors: backend.cursors, archive: backend.archive, source, clock: systemClock },
        ...{ random: Math.random, newCompressor: gzipCompressor, outboxes: new Map([[DESTINATION, queue]]) },
        observe: (event) => {
          if (event.kind === 'page') totals.collected += event.events;
        },
      },
      {
        ...{ org: 'institution', baseUrl: providerUrl, orgUrl, filters: {}, limit: 1000 },
        ...{ onStaleToken: 'halt', minIntervalMs: 0, batchBytes: 8 * 1024 * 1024, maxAttempts: 3 },
        leaseMs: LEASE_MS,
      },
      {
        owner: `run-${totals.runs}`,
        readUntil: Date.now() + RUN_MS,
        stopReading: AbortSignal.timeout(RUN_MS),
        signal: never,
      },
    );
    if (report.error !== undefined) throw report.error;
    totals.batches += report.batches;
    totals.runs++;
    if (report.outcome === 'caught-up') return;
  }
}

async function deliverAll(): Promise<void> {
  for (;;) {
    const wasCollected = isCollected;
    const messages = (await queue.receive(2, never)).map((message) => ({ ...message, id: message.receipt }));
    if (messages.length === 0) {
      if (wasCollected && (await queue.depth(never)).waiting === 0) return;
      await systemClock.sleep(20, never);
      continue;
    }
    const report = await deliver(messages, { sendUntil: Date.now() + LEASE_MS, signal: never });
    totals.delivered += report.delivered;
    totals.failures += report.failures.length;
    const failed = new Set(report.failures.map(({ id }) => id));
    for (const { id, body, receipt } of messages) {
      if (failed.has(id)) continue;
      await queue.remove(receipt, never);
      await forget(body);
    }
  }
}

/** Ten million events are half a gigabyte, which nobody looks at again. */
async function forget(body: string): Promise<void> {
  const announcement = announced(body, backend.archive.bucket);
  if (announcement.kind === 'object') await unlink(join(folder, 'archive', announcement.object.key));
}

const startedAt = Date.now();
const timer = setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { collected, delivered } = totals;
  print({ atMs: Date.now() - startedAt, rss, heapUsed, external, collected, delivered });
}, SAMPLE_MS);

await Promise.all([
  collectAll().finally(() => {
    isCollected = true;
  }),
  deliverAll(),
]);
clearInterval(timer);
print(totals);

function print(line: FlowSample | FlowTotals): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
