/**
 * The provider of the benchmarks, in a process of its own: pages made beforehand, served by bare node:http, so that it
 * costs as little as a provider can. Prints one JSON line with its address, and ends when its standard input does.
 *
 * The base URL of a log is `<address>/<pages>/<delayMs>`: a log of that many pages of 1,000 events, each answered after
 * that long. It serves the same few pages round and round, each time under a fresh, time-ordered token.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateTraffic } from '../local/provider/traffic.ts';

const EVENTS_PER_PAGE = 1000;
const FIRST_TOKEN_MS = Date.UTC(2026, 0, 2);

const [distinctPages = '1'] = process.argv.slice(2);
const pages = makePages(Number(distinctPages));

const server = createServer(async (request, response) => {
  const { origin, pathname, searchParams } = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const [, pageCount, delayMs] = /^\/(\d+)\/(\d+)\/logs\/v1\/orgLogs$/.exec(pathname) ?? [];
  if (pageCount === undefined) {
    response.writeHead(404).end();
    return;
  }
  const asked = positionOf(searchParams.get('nextToken'));
  const ended = asked >= Number(pageCount);
  const events = ended ? Buffer.alloc(0) : (pages[asked % pages.length] as Buffer);
  const nextToken = tokenAt(ended ? asked : asked + 1);
  const ref = `${origin}${request.url}`;
  searchParams.set('nextToken', nextToken);
  const next = `${origin}${pathname}?${searchParams}`;
  const count = ended ? 0 : EVENTS_PER_PAGE;
  const envelope = JSON.stringify({ ref, next, nextToken, count });
  const head = Buffer.from(`${envelope.slice(0, -1)},"logEvents":[`);
  const tail = Buffer.from(']}');
  if (Number(delayMs) > 0) await sleep(Number(delayMs));
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': head.length + events.length + tail.length,
  });
  response.cork();
  response.write(head);
  response.write(events);
  response.end(tail);
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.stdin.resume().once('close', () => {
  server.close();
  server.closeAllConnections();
});

/** The events of each page as JSON texts joined by commas. */
function makePages(count: number): Buffer[] {
  const events = generateTraffic({
    seed: 1,
    orgUrl: 'https://institution.edu/',
    orgDomain: 'institution.edu',
    fromMs: FIRST_TOKEN_MS - 86_400_000,
    toMs: FIRST_TOKEN_MS,
    count: count * EVENTS_PER_PAGE,
  });
  const texts = Array.from(events, (event) => JSON.stringify(event));
  return Array.from({ length: count }, (_, page) =>
    Buffer.from(texts.slice(page * EVENTS_PER_PAGE, (page + 1) * EVENTS_PER_PAGE).join(',')),
  );
}

/** The token that leads to the page at this position, as a version 7 UUID. */
function tokenAt(position: number): string {
  const time = (FIRST_TOKEN_MS + position).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${position.toString(16).padStart(12, '0')}`;
}

function positionOf(token: string | null): number {
  return token === null ? 0 : Number.parseInt(token.slice(-12), 16);
}
