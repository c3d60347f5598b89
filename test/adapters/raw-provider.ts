import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import { createHttpLogSource, type HttpLogSourceOptions } from '../../functions/adapters/http-log-source.ts';
import type { Credential, LogSource } from '../../functions/core/ports.ts';

export const ORG_URL = 'https://idp.institution.edu/';
export const CREDENTIAL: Credential = { username: 'collector', password: 'pässwörd:✓' };
export const TOKEN = '0190d3b8-7c4e-7abc-8def-0123456789ab';

export interface RawServer extends AsyncDisposable {
  readonly origin: string;
  /** How many connections were opened. */
  readonly connections: () => number;
}

async function listening(server: Server, scheme = 'http'): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An HTTP server that answers as told and keeps what it was asked. */
export async function httpServer(
  listener: RequestListener,
): Promise<RawServer & { requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return Object.assign(await listening(server), { requests });
}

/** A TCP server: `onRequest` is called with the first bytes of each request. */
export function netServer(onRequest: (socket: Socket) => void): Promise<RawServer> {
  return listening(createNetServer((socket) => socket.on('data', () => onRequest(socket))));
}

/** A server that answers every request with this status and body. */
export function answering(status: number, body: string, headers: Record<string, string> = {}) {
  return httpServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
}

export function sourceAt(
  server: { readonly origin: string },
  options: Partial<HttpLogSourceOptions> = {},
): LogSource & AsyncDisposable {
  return createHttpLogSource({
    baseUrl: server.origin,
    orgUrl: ORG_URL,
    credentials: { get: async () => CREDENTIAL },
    ...options,
  });
}

export function readFirst(source: LogSource, signal = new AbortController().signal) {
  return source.readPage({ limit: 1000, freshCredential: false }, signal);
}

/** The one page of the server, read with a token. */
export async function readFrom(
  server: { readonly origin: string },
  options: Partial<HttpLogSourceOptions> = {},
) {
  await using source = sourceAt(server, options);
  return await source.readPage(
    { token: TOKEN, limit: 1000, freshCredential: false },
    new AbortController().signal,
  );
}
