/**
 * The floors of push delivery, in a process of their own: a bare undici loop that posts the same bodies, ready-made,
 * over as many connections. `does`: `post` alone, gzip having been done beforehand; `gzip` too; or `gunzip` the objects
 * as well, whose content is then thrown away. It cuts and wraps nothing, and remembers nothing. Prints one JSON line:
 * bench/usage.ts.
 */
import { Pool } from 'undici';
import { gzipped } from '../functions/adapters/sink-connection.ts';
import { gunzipped } from '../functions/core/delivery/lines.ts';
import {
  archiveIn,
  CONCURRENCY,
  type DeliverParameters,
  keyOf,
  openSink,
  readyBodies,
} from './deliver-load.ts';
import { measureUsage } from './usage.ts';

const parameters: DeliverParameters & {
  readonly does: 'post' | 'gzip' | 'gunzip';
  readonly events: number;
} = JSON.parse(process.argv[2] ?? '');
const { sink: kind, url, objects, does, events, folder } = parameters;
await using sink = openSink(parameters);
const bodies = await readyBodies(parameters, sink);
const ready: Uint8Array[] = [];
if (does === 'post') for (const body of bodies) ready.push((await gzipped([body], 1, 'logs')).body);
const path = kind === 'splunk' ? '/services/collector/event' : '/logs-orglog.events-default/_bulk';
const headers = { 'content-encoding': 'gzip' };
const pool = new Pool(url, { connections: CONCURRENCY });

async function post(index: number): Promise<void> {
  const body = ready[index] ?? (await gzipped([bodies[index] ?? Buffer.alloc(0)], 1, 'logs')).body;
  const answer = await pool.request({ method: 'POST', path, headers, body });
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
}

async function unpack(): Promise<void> {
  const stored = await archiveIn(folder).get(keyOf(1), new AbortController().signal);
  if (stored !== undefined) for await (const _ of gunzipped(stored));
}

async function postObject(): Promise<void> {
  for (const index of bodies.keys()) await post(index);
}

await measureUsage(async () => {
  let left = objects;
  const worker = async () => {
    while (left-- > 0) await Promise.all([postObject(), does === 'gunzip' ? unpack() : undefined]);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { pages: objects * events, storedBytes: objects * bodies.length };
});
await pool.close();
