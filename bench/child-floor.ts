/**
 * The floor of catching up, in a process of its own: a bare undici loop that reads every page and gzips the raw bodies,
 * and does nothing else. As good as a bare loop gets: the next page is asked for before this one is compressed, and
 * gzip is waited for. Parameter: the log's base URL (bench/provider.ts). Prints one JSON line: bench/usage.ts.
 */
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { Pool } from 'undici';
import { measureUsage } from './usage.ts';

/** The token lies before the events, within this. */
const ENVELOPE_BYTES = 2048;

const base = new URL(process.argv[2] ?? '');
const pool = new Pool(base.origin, { connections: 1 });

async function getPage(token?: string): Promise<Buffer> {
  const query = new URLSearchParams({ orgUrl: 'https://institution.edu/', limit: '1000' });
  if (token !== undefined) query.set('nextToken', token);
  const { body } = await pool.request({ method: 'GET', path: `${base.pathname}/logs/v1/orgLogs?${query}` });
  return Buffer.from(await body.arrayBuffer());
}

function tokenOf(page: Buffer): string | undefined {
  return /"nextToken":"([^"]+)"/.exec(page.toString('latin1', 0, ENVELOPE_BYTES))?.[1];
}

await measureUsage(async () => {
  const gzip = createGzip();
  let storedBytes = 0;
  gzip.on('data', (chunk: Buffer) => {
    storedBytes += chunk.length;
  });
  let pages = 0;
  let token: string | undefined;
  let reading = getPage();
  for (;;) {
    const page = await reading;
    const next = tokenOf(page);
    if (next === token) break;
    token = next;
    pages++;
    reading = getPage(token);
    if (!gzip.write(page)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  return { pages, storedBytes };
});
await pool.close();
