/**
 * Push delivery in a process of its own: many objects, each announced once, to a sink over HTTP, with the ledger in
 * memory: in a function it is another machine's work. Parameter: JSON as in `DeliverParameters`. Prints one JSON line: bench/usage.ts. No objects: an idle process
 * with the same modules.
 */
import { systemClock } from '../functions/adapters/system-clock.ts';
import { createDelivery } from '../functions/core/delivery/deliver.ts';
import { gunzipped } from '../functions/core/delivery/lines.ts';
import { notification } from '../functions/core/notification.ts';
import { MemoryLedger } from '../test/memory/memory-ledger.ts';
import { archiveIn, BUCKET, CONCURRENCY, type DeliverParameters, keyOf, openSink } from './deliver-load.ts';
import { measureUsage } from './usage.ts';

const parameters: DeliverParameters = JSON.parse(process.argv[2] ?? '');
const { folder, objects } = parameters;
await using sink = openSink(parameters);

const deliver = createDelivery(
  {
    ledger: new MemoryLedger(),
    archive: archiveIn(folder),
    visibility: { extendVisibility: async () => {} },
    sink,
    clock: systemClock,
    random: Math.random,
    unpack: gunzipped,
    observe: () => {},
  },
  { destination: parameters.sink, concurrency: CONCURRENCY, maxAttempts: 1 },
);
const stored = { bucket: BUCKET, region: 'us-east-1', size: 1, etag: 'e', eventTime: Date.UTC(2026, 0, 2) };
const messages = Array.from({ length: objects }, (_, at) => ({
  id: String(at),
  body: notification({ ...stored, key: keyOf(at + 1) }),
  receipt: String(at),
  receiveCount: 1,
}));

await measureUsage(async () => {
  const context = { sendUntil: Date.now() + 3_600_000, signal: new AbortController().signal };
  const { delivered, failures, requests } = await deliver(messages, context);
  if (failures[0] !== undefined) throw new Error(failures[0].reason);
  return { pages: delivered, storedBytes: requests };
});
