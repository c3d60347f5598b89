import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const inflate = promisify(gunzip);

/** A request's body, or why there is none to work on. */
export type SinkBody =
  | { readonly kind: 'body'; readonly body: Buffer; readonly sentBytes: number }
  | {
      readonly kind: 'too-large' | 'not-gzip' | 'unknown-encoding' | 'aborted';
      readonly sentBytes: number;
    };

/**
 * Read a body whole and undo its Content-Encoding. More than `maxBytes`, as sent or inflated, is `too-large`; it is read
 * to its end all the same, so that a client that writes before it listens hears the answer.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<SinkBody> {
  const chunks: Buffer[] = [];
  let sentBytes = 0;
  try {
    for await (const chunk of request) {
      sentBytes += chunk.length;
      if (sentBytes <= maxBytes) chunks.push(chunk);
    }
  } catch {
    return { kind: 'aborted', sentBytes };
  }
  if (sentBytes > maxBytes) return { kind: 'too-large', sentBytes };
  const sent = Buffer.concat(chunks);
  switch (request.headers['content-encoding'] ?? 'identity') {
    case 'identity':
      return { kind: 'body', body: sent, sentBytes };
    case 'gzip':
      return inflated(sent, maxBytes);
    default:
      return { kind: 'unknown-encoding', sentBytes };
  }
}

async function inflated(sent: Buffer, maxBytes: number): Promise<SinkBody> {
  try {
    const body = await inflate(sent, { maxOutputLength: maxBytes });
    return { kind: 'body', body, sentBytes: sent.length };
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    return { kind: tooLarge ? 'too-large' : 'not-gzip', sentBytes: sent.length };
  }
}
