/**
 * One walk over all identity records on the embedded backend, in a process of its own: read, snapshot, comparison with
 * the last one. Parameter: JSON as in `parameters`. Prints one JSON line: bench/usage.ts.
 */
import * as z from 'zod';
import { createIdentitiesClient } from '../functions/adapters/identities/client.ts';
import { identitySource } from '../functions/adapters/identities/source.ts';
import { systemClock } from '../functions/adapters/system-clock.ts';
import { gzipCompressor } from '../functions/core/gzip.ts';
import { syncIdentities } from '../functions/core/identities/sync.ts';
import { EnvironmentCredentials } from '../local/environment-credentials.ts';
import { openBackend } from './backend.ts';
import { measureUsage } from './usage.ts';

const parameters = z.object({ url: z.url(), folder: z.string(), authorities: z.array(z.string()) });

const LONGEST_RUN_MS = 10 * 60_000;

const { url, folder, authorities } = parameters.parse(JSON.parse(process.argv[2] ?? ''));
await using stores = await openBackend({ kind: 'embedded', folder });
const credentials = new EnvironmentCredentials({ ORGLOG_USERNAME: 'bench', ORGLOG_PASSWORD: 'bench' });
await using client = createIdentitiesClient({ baseUrl: url, credentials });

await measureUsage(async () => {
  const never = new AbortController().signal;
  const { cursors, archive, outbox } = stores;
  const report = await syncIdentities(
    {
      cursors,
      archive,
      outboxes: new Map([['siem', outbox]]),
      source: identitySource(client),
      clock: systemClock,
      random: Math.random,
      newCompressor: gzipCompressor,
      pseudonym: (value) => value,
      observe: () => {},
    },
    {
      org: 'institution',
      environment: 'prod',
      baseUrl: url,
      // The next walk is always due.
      everyMs: 1,
      authorities,
      redact: [],
      pseudonymKeyId: 'none',
      snapshots: 'first',
      batchBytes: 8 * 1024 * 1024,
      leaseMs: LONGEST_RUN_MS,
    },
    { owner: 'bench', readUntil: Date.now() + LONGEST_RUN_MS, stopReading: never, signal: never },
  );
  if (report.error !== undefined) throw report.error;
  if (report.outcome !== 'complete') throw new Error(`the run ended ${report.outcome}, not complete`);
  return { pages: report.identities, storedBytes: report.storedBytes };
});
