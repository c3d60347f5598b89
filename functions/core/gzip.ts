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
  let failed: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });
  failure.catch(() => {});
  gzip.on('error', failed);
  gzip.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    size += chunk.length;
  });
  return {
    write: (bytes) =>
      Promise.race([
        failure,
        new Promise<void>((resolve) => {
          gzip.write(bytes, () => resolve());
        }),
      ]),
    get size() {
      return size;
    },
    finish: () =>
      Promise.race([
        failure,
        new Promise<readonly Uint8Array[]>((resolve) => {
          gzip.once('end', () => resolve(chunks));
          gzip.end();
        }),
      ]),
    discard: () => gzip.destroy(),
  };
}
