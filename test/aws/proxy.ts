import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Listening, listen } from './listen.ts';
import type { Classify, Wire } from './wire.ts';

/**
 * A service that runs elsewhere on this machine, behind the wire. Requests go on as they came, `Host` included: it is
 * part of what is signed.
 *
 * @param target http, an origin without a path
 */
export async function startProxy(wire: Wire, classify: Classify, target: string): Promise<Listening> {
  return await listen(
    createServer(wire.wrap(classify, (request, response) => forward(request, response, target))),
  );
}

function forward(request: IncomingMessage, response: ServerResponse, target: string): void {
  const { hostname, port } = new URL(target);
  const { method, url, rawHeaders } = request;
  // A connection of its own each: which of two idle ones the service closes next is not the wire's to find out.
  const onward = send({
    hostname,
    port,
    method,
    path: url,
    headers: rawHeaders,
    agent: false,
    setHost: false,
  });
  onward.once('response', async (answer) => {
    const body = await buffer(answer).catch(() => undefined);
    if (body === undefined) {
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    // Whole: a fault that cuts an answer cuts what is given here.
    response.end(body);
  });
  onward.once('error', () => response.destroy());
  pipeline(request, onward).catch(() => onward.destroy());
}
