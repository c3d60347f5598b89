import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './answer.ts';
import type { Fault } from './faults.ts';

const PADDING = Buffer.alloc(1024 * 1024, ' ');

/** Send an answer, or what the request's fault makes of it. */
export async function deliver(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<void> {
  const { fault, record, closing } = request.call;
  record.status = answer.status;
  const { body } = answer;
  const headers = { ...(body.length > 0 && { 'content-type': 'application/json' }), ...answer.headers };
  const half = body.subarray(0, Math.floor(body.length / 2));
  const { raw } = reply;
  switch (fault?.kind) {
    case 'cut-body':
      reply.hijack();
      raw.writeHead(answer.status, { ...headers, 'content-length': body.length });
      raw.write(half, () => raw.destroy());
      return;
    case 'drip':
      reply.hijack();
      raw.writeHead(answer.status, { ...headers, 'content-length': body.length });
      return stream(raw, pieces(body, fault.pieceBytes ?? 1024, fault.pauseMs, closing), closing);
    case 'oversized':
      reply.hijack();
      raw.writeHead(answer.status, { ...headers, 'content-length': Math.max(fault.bytes, body.length) });
      return stream(raw, padded(body, fault.bytes), closing);
    default:
      reply
        .code(answer.status)
        .headers(headers)
        .send(fault?.kind === 'half-body' ? half : body);
  }
}

/** End the connection without an answer: a reset, seen by the client as such. */
export function reset(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.resetAndDestroy();
}

/**
 * Wait before answering. `false`: the client left or the server is closing; the connection is ended and there is
 * nothing to answer.
 */
export async function holdBack(
  request: FastifyRequest,
  reply: FastifyReply,
  delayMs: number,
): Promise<boolean> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.raw.once('close', leave);
  try {
    await sleep(delayMs, undefined, { signal: AbortSignal.any([gone.signal, request.call.closing]) });
    return true;
  } catch {
    reply.hijack();
    reply.raw.destroy();
    return false;
  } finally {
    reply.raw.off('close', leave);
  }
}

/** The whole answer of a fault that speaks in the service's stead; `undefined` for all others. */
export function insteadOfService(fault: Fault): Answer | undefined {
  switch (fault.kind) {
    case 'status':
      return {
        status: fault.status,
        headers: {
          'content-type': fault.contentType ?? 'application/json',
          ...(fault.retryAfter !== undefined && { 'retry-after': retryAfter(fault.retryAfter) }),
        },
        body: Buffer.from(fault.body ?? JSON.stringify({ detail: `scripted status ${fault.status}` })),
      };
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: Buffer.from(fault.body ?? '<!doctype html><title>Maintenance</title><p>Back soon.</p>\n'),
      };
    case 'redirect':
      return { status: 302, headers: { location: fault.location }, body: Buffer.alloc(0) };
    default:
      return undefined;
  }
}

function retryAfter(value: number | Date): string {
  return value instanceof Date ? value.toUTCString() : String(value);
}

async function stream(
  raw: ServerResponse,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(source, raw, { signal });
  } catch {
    // The client left in the middle, or the server is closing: no one is there to tell.
    raw.destroy();
  }
}

async function* pieces(body: Uint8Array, pieceBytes: number, pauseMs: number, signal: AbortSignal) {
  for (let at = 0; at < body.length; at += pieceBytes) {
    yield body.subarray(at, at + pieceBytes);
    await sleep(pauseMs, undefined, { signal });
  }
}

async function* padded(body: Uint8Array, bytes: number) {
  yield body;
  for (let left = bytes - body.length; left > 0; left -= PADDING.length) {
    yield PADDING.subarray(0, Math.min(left, PADDING.length));
  }
}
