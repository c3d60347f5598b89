import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createElasticBulkSink } from '../functions/adapters/elastic-bulk-sink.ts';
import { createSplunkHecSink } from '../functions/adapters/splunk-hec-sink.ts';
import { systemClock } from '../functions/adapters/system-clock.ts';
import { gunzipped, wholeLines } from '../functions/core/delivery/lines.ts';
import { requestsOf } from '../functions/core/delivery/requests.ts';
import { ecsDocument } from '../functions/core/ecs.ts';
import type { Archive } from '../functions/core/ports.ts';
import type { Sink } from '../functions/core/ports-delivery.ts';
import { generateTraffic } from '../local/provider/traffic.ts';

export const BUCKET = 'bench';
/** As a function is deployed. */
export const CONCURRENCY = 4;

export interface DeliverParameters {
  readonly sink: 'splunk' | 'elastic';
  readonly url: string;
  readonly objects: number;
  /** Holds the object, and the ledger. */
  readonly folder: string;
}

/** The key of the n-th object, from 1. */
export function keyOf(n: number): string {
  return `logs/org=institution/dt=2026-01-02/k3v9q-${String(n).padStart(12, '0')}.ndjson.gz`;
}

function objectIn(folder: string): string {
  return join(folder, 'object.ndjson.gz');
}

/** Writes the one object that lies under every key: what the stand-in of the provider invents. */
export async function writeObject(folder: string, events: number): Promise<void> {
  const toMs = Date.UTC(2026, 0, 2);
  const source = { seed: 1, orgUrl: 'https://login.institution.edu/', orgDomain: 'institution.edu' };
  const lines: string[] = [];
  for (const event of generateTraffic({ ...source, fromMs: toMs - 3_600_000, toMs, count: events })) {
    lines.push(`${JSON.stringify(event)}\n`);
  }
  await writeFile(objectIn(folder), gzipSync(lines.join('')));
}

/** An archive that has one object under every key. */
export function archiveIn(folder: string): Pick<Archive, 'bucket' | 'get' | 'put'> {
  return {
    bucket: BUCKET,
    get: async () => createReadStream(objectIn(folder)),
    put: () => Promise.reject(new Error('nothing is refused here')),
  };
}

/** The real sink of a kind. */
export function openSink({ sink, url }: DeliverParameters): Sink & AsyncDisposable {
  const credentials = { authorization: async () => 'Splunk bench' };
  const connection = { url, credentials, clock: systemClock, connections: CONCURRENCY };
  return sink === 'splunk'
    ? createSplunkHecSink(connection)
    : createElasticBulkSink({
        ...connection,
        dataStream: 'logs-orglog.events-default',
        toDocument: ecsDocument,
      });
}

/** The object's requests before compression, all of them made. */
export async function readyBodies({ folder }: DeliverParameters, sink: Sink): Promise<Buffer[]> {
  const object = {
    key: keyOf(1),
    org: 'institution',
    stream: 'logs',
    idPrefix: 'institution:logs:k3v9q:1:',
    announcedAt: 0,
  } as const;
  const texts = wholeLines(gunzipped(createReadStream(objectIn(folder))));
  const bodies: Buffer[] = [];
  for await (const { bytes } of requestsOf(texts, object, sink, 0)) bodies.push(Buffer.from(bytes));
  return bodies;
}
