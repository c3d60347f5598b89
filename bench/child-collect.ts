/**
 * The collector on one backend, in a process of its own. Parameter: JSON as in `parameters`. Prints one JSON line:
 * bench/usage.ts. Without `baseUrl` it collects nothing: an idle process with the same modules.
 */
import * as z from 'zod';
import { createHttpLogSource } from '../functions/adapters/http-log-source.ts';
import { systemClock } from '../functions/adapters/system-clock.ts';
import { collect } from '../functions/core/collect.ts';
import { gzipCompressor } from '../functions/core/gzip.ts';
import type { RunPorts, RunSettings } from '../functions/core/run.ts';
import { EnvironmentCredentials } from '../local/environment-credentials.ts';
import { openBackend } from './backend.ts';
import { measureUsage } from './usage.ts';

const parameters = z.object({
  baseUrl: z.url().optional(),
  org: z.string(),
  backend: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('embedded'), folder: z.string() }),
    z.object({ kind: z.literal('aws'), table: z.string(), bucket: z.string(), queueUrl: z.url() }),
  ]),
});

const LONGEST_RUN_MS = 10 * 60_000;

const { baseUrl, org, backend } = parameters.parse(JSON.parse(process.argv[2] ?? ''));
await using stores = await openBackend(backend);

await measureUsage(async () => {
  if (baseUrl === undefined) return { pages: 0, storedBytes: 0 };
  const settings: RunSettings = {
    org,
    baseUrl,
    orgUrl: 'https://institution.edu/',
    filters: {},
    limit: 1000,
    onStaleToken: 'halt',
    minIntervalMs: 0,
    batchBytes: 8 * 1024 * 1024,
    leaseMs: LONGEST_RUN_MS,
    maxAttempts: 1,
  };
  const credentials = new EnvironmentCredentials({ ORGLOG_USERNAME: 'bench', ORGLOG_PASSWORD: 'bench' });
  await using source = createHttpLogSource({ baseUrl, orgUrl: settings.orgUrl, credentials });
  const ports: RunPorts = {
    cursors: stores.cursors,
    archive: stores.archive,
    outboxes: new Map([['siem', stores.outbox]]),
    source,
    clock: systemClock,
    random: Math.random,
    newCompressor: gzipCompressor,
    observe: () => {},
  };
  const never = new AbortController().signal;
  const readUntil = Date.now() + LONGEST_RUN_MS;
  const report = await collect(ports, settings, {
    owner: 'bench',
    readUntil,
    stopReading: never,
    signal: never,
  });
  if (report.error !== undefined) throw report.error;
  if (report.outcome !== 'caught-up') throw new Error(`the run ended ${report.outcome}, not caught up`);
  // The last page is the empty one that ends the log; the floor does not count it either.
  return { pages: report.pages - 1, storedBytes: report.storedBytes };
});
