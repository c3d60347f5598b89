import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Compressor } from './ports.ts';

/** Bytes zlib fills before it hands them over: larger means fewer trips to its thread. */
const CHUNK_BYTES = 128 * 1024;

/**
 * A gzip stream that is told to wait: `write` resolves once its bytes are compressed, because a stream fed faster than
 * it compresses queues all of it in memory.
 */
export function gzipCompressor(): Compressor {
  const gzip = createGzip({ chunkSize: CHUNK_BYTES });
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Whoever writes or finishes is told; nobody waits on the event itself.
  gzip.on('error', () => {});
  gzip.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    size += chunk.length;
  });
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        gzip.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    get size() {
      return size;
    },
    finish: () => {
      const ended = once(gzip, 'end').then(() => chunks);
      gzip.end();
      return ended;
    },
    discard: () => gzip.destroy(),
  };
}
