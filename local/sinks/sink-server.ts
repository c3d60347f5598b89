import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultScript, type FaultTarget, type WireFault } from './fault-script.ts';
import { readBody, type SinkBody } from './sink-body.ts';

const REQUESTS_KEPT = 10_000;

/** One request as the tests see it. Credentials and bodies are not kept. */
export interface RecordedRequest extends FaultTarget {
  /** Epoch ms by the stand-in's clock. */
  readonly atMs: number;
  readonly contentEncoding: string | undefined;
  /** The fault that befell it. */
  readonly fault?: string;
  /** Absent while it is being answered, and when it was reset or left unanswered. */
  status?: number;
}

/** A request with its body at hand. */
export interface SinkCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SinkAnswer {
  readonly status: number;
  /** Lower-case names; Content-Type is JSON unless it is named here. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A string is sent as it is, anything else as JSON, `undefined` as nothing. */
  readonly body?: unknown;
}

/** What makes a server one vendor's sink. `F` are the faults that only this service knows. */
export interface SinkService<F> {
  /** Carry out a request. `fault` is one of the service's own. */
  handle(call: SinkCall, fault: F | undefined): SinkAnswer;
  /** The answer to a body that could not be taken in. */
  unreadable(reason: Exclude<SinkBody['kind'], 'body' | 'aborted'>): SinkAnswer;
  /** What the service itself says with a status: the answer to a scripted one. */
  answerOf(status: number): SinkAnswer;
}

export interface SinkServerOptions {
  /** Largest body taken, bytes, as sent and inflated. */
  readonly maxBytes: number;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Epoch ms; default `Date.now`. */
  readonly now?: () => number;
}

/** What every sink stand-in offers, whichever vendor it stands for. */
export interface SinkServer<F> extends AsyncDisposable {
  /** No slash at the end. */
  readonly url: string;
  /** Misbehaviour to come. */
  readonly faults: FaultScript<F | WireFault>;
  /** The last 10,000 requests. */
  readonly requests: readonly RecordedRequest[];
  /** Requests being answered: how many now, and the most there ever were at once. */
  readonly concurrency: { readonly now: number; readonly peak: number };
  /** Stop at once: connections that are open are ended. */
  close(): Promise<void>;
}

const WIRE_FAULTS: readonly string[] = ['status', 'reset', 'hang', 'cut-body', 'delay'];

function isWireFault(fault: { readonly kind: string } | undefined): fault is WireFault {
  return fault !== undefined && WIRE_FAULTS.includes(fault.kind);
}

/** Listen for a sink's requests on real HTTP. Rejects when the port is in use. */
export async function startSinkServer<F extends { readonly kind: string }>(
  service: SinkService<F>,
  options: SinkServerOptions,
): Promise<SinkServer<F>> {
  const { maxBytes, port = 0, host = '127.0.0.1', now = Date.now } = options;
  const faults = new FaultScript<F | WireFault>();
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  const concurrency = { now: 0, peak: 0 };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readBody(request, maxBytes);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sink');
    const target = { method: request.method ?? 'GET', path: pathname, bytes: read.sentBytes };
    const fault = read.kind === 'aborted' ? undefined : faults.take(target);
    const record: RecordedRequest = {
      ...target,
      atMs: now(),
      contentEncoding: request.headers['content-encoding'],
      ...(fault && { fault: fault.kind }),
    };
    requests.push(record);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    if (read.kind === 'aborted') return;

    const wire = isWireFault(fault) ? fault : undefined;
    const own = fault !== undefined && !isWireFault(fault) ? fault : undefined;
    const call = { ...target, query: searchParams, headers: request.headers };
    const truth =
      wire !== undefined && !takesEffect(wire)
        ? undefined
        : read.kind === 'body'
          ? service.handle({ ...call, body: read.body }, own)
          : service.unreadable(read.kind);

    if (wire?.delayMs !== undefined) await sleep(wire.delayMs, undefined, { signal: closing.signal });
    if (wire?.kind === 'hang') return;
    if (wire?.kind === 'reset') return void request.socket.resetAndDestroy();
    const said = wire?.kind === 'status' ? scripted(wire, service) : truth;
    if (said === undefined) return;
    record.status = said.status;
    send(request, response, said, wire?.kind === 'cut-body');
  }

  const server = createServer((request, response) => {
    concurrency.now += 1;
    concurrency.peak = Math.max(concurrency.peak, concurrency.now);
    response.once('close', () => {
      concurrency.now -= 1;
    });
    answer(request, response).catch((error: unknown) => {
      if (closing.signal.aborted || response.headersSent) response.destroy();
      else send(request, response, { status: 500, body: { error: String(error) } }, false);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const close = async () => {
    closing.abort();
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://${name}:${address.port}`,
    faults,
    requests,
    concurrency,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function takesEffect(fault: WireFault): boolean {
  return fault.kind === 'delay' || fault.kind === 'cut-body' || fault.takesEffect === true;
}

function scripted<F>(fault: WireFault & { kind: 'status' }, service: SinkService<F>): SinkAnswer {
  const { status, retryAfter } = fault;
  const usual = service.answerOf(status);
  const wait = retryAfter instanceof Date ? retryAfter.toUTCString() : retryAfter;
  return {
    status,
    body: 'body' in fault ? fault.body : usual.body,
    headers: { ...usual.headers, ...(wait !== undefined && { 'retry-after': String(wait) }) },
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: SinkAnswer, cut: boolean): void {
  const { status, headers, body } = answer;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);
  response.writeHead(status, {
    ...(bytes.length > 0 && { 'content-type': 'application/json' }),
    ...headers,
    'content-length': bytes.length,
  });
  if (request.method === 'HEAD') response.end();
  else if (!cut) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length >> 1), () => request.socket.resetAndDestroy());
}
