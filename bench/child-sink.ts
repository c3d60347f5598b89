/**
 * A sink that takes everything at once, in a process of its own: HEC at /services/collector/event, `_bulk` elsewhere.
 * Prints its URL; ends when its standard input does.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const inflate = promisify(gunzip);
const LF = 0x0a;
const HEC_ANSWER = '{"text":"Success","code":0}';

/** What Elasticsearch answers: one item for two lines. */
async function bulkAnswer(body: Buffer): Promise<string> {
  const lines = await inflate(body);
  let count = 0;
  for (let at = lines.indexOf(LF); at >= 0; at = lines.indexOf(LF, at + 1)) count += 1;
  const item =
    '{"create":{"_index":".ds-logs-orglog.events-default-2026.01.02-000001","_id":"institution:logs:k3v9q:41:1","_version":1,"result":"created","status":201}}';
  return `{"errors":false,"took":1,"items":[${Array(count / 2)
    .fill(item)
    .join(',')}]}`;
}

const server = createServer(async (request, response) => {
  const hec = request.url === '/services/collector/event';
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (!hec) chunks.push(chunk);
  const answer = hec ? HEC_ANSWER : await bulkAnswer(Buffer.concat(chunks));
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.stdin.resume().on('end', () => process.exit());
