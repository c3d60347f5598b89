import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createIdentitiesClient,
  type IdentitiesClientOptions,
} from '../../../functions/adapters/identities/client.ts';
import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import type { Clock } from '../../../functions/core/ports.ts';
import { CREDENTIAL } from '../raw-provider.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string;
  readonly contentType: string | undefined;
  /** As JSON; `undefined` where there was none. */
  readonly body: unknown;
}

/** How one request is answered; `reset` and `hang` come after the request was read whole. */
export type Answer =
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly text?: string;
      readonly headers?: Record<string, string>;
    }
  | 'reset'
  | 'hang'
  /** Is called in place of an answer, which never comes. */
  | (() => void);

export interface ScriptedServer extends AsyncDisposable {
  readonly origin: string;
  readonly asked: readonly Asked[];
}

/** A server that gives these answers in turn, the last of them ever after. */
export async function scripted(answers: readonly Answer[], port = 0): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const text = Buffer.concat(chunks).toString('utf8');
      asked.push({
        method: request.method ?? '',
        path: pathname,
        query: Object.fromEntries(searchParams),
        authorization: request.headers.authorization ?? '',
        contentType: request.headers['content-type'],
        body: text === '' ? undefined : JSON.parse(text),
      });
      give(answers[Math.min(asked.length, answers.length) - 1] ?? 'reset', response);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: originOf(server),
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function give(answer: Answer, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (typeof answer === 'function') {
    answer();
    return;
  }
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const text = answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(text);
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An origin where nobody listens. */
export async function vacantOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = originOf(server);
  server.close();
  await once(server, 'close');
  return origin;
}

/** Time that passes only where somebody waits, which takes none. */
export function idleClock(
  onSleep: () => Promise<void> = async () => undefined,
): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  return {
    slept,
    now: () => now,
    async sleep(delayMs) {
      slept.push(delayMs);
      now += delayMs;
      await onSleep();
    },
  };
}

export function clientAt(
  origin: string,
  options: Partial<IdentitiesClientOptions> = {},
): IdentitiesApi & AsyncDisposable {
  return createIdentitiesClient({
    baseUrl: origin,
    credentials: { get: async () => CREDENTIAL },
    clock: idleClock(),
    random: () => 1,
    ...options,
  });
}

/** A signal that never fires. */
export const never = (): AbortSignal => new AbortController().signal;

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`no error was thrown, but ${String(error)}`);
  }
  throw new Error('a rejection was expected');
}
