import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import dynalite from 'dynalite';
import { type Listening, listen } from './listen.ts';
import { jsonOperation, type Wire } from './wire.ts';

/** DynamoDB by dynalite, in memory. It has no TransactWriteItems, no TTL, and no items in refusals. */
export async function startDynamoDb(wire: Wire): Promise<Listening> {
  const inner = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  const [handle] = inner.listeners('request') as RequestListener[];
  if (handle === undefined) throw new Error('dynalite no longer listens to its own server: adapt this file');
  const classify = (request: IncomingMessage) => ({
    service: 'dynamodb',
    operation: jsonOperation(request) ?? 'other',
  });
  const listener = wire.wrap(classify, async (request, response) => {
    // dynalite throws, ending the process, when a client goes away while sending: it gets only whole requests.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const whole = Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
      headers: request.headers,
      method: request.method,
      url: request.url,
    });
    handle(whole as unknown as IncomingMessage, response);
  });
  return await listen(createServer(listener));
}
