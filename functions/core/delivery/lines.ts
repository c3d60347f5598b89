import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { EventLine } from '../ports-delivery.ts';

const LF = 0x0a;

/** Bytes zlib fills before it hands them over: larger means fewer trips to its thread. */
const CHUNK_BYTES = 512 * 1024;

/** What a stored object holds, uncompressed; ends with an error where the object is damaged or cut short. */
export async function* gunzipped(stored: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // Its callback must be there, or a failure would be thrown at nobody; the loop sees it as well.
  yield* pipeline(stored, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) as AsyncIterable<Buffer>;
}

/**
 * A text that comes in pieces, in pieces that end where a line does; the last one may lack its line feed. They share the
 * pieces' memory, but for lines that span several.
 */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const first = begun.length === 0 ? 0 : bytes.indexOf(LF) + 1;
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > 0 && begun.length > 0) {
      yield Buffer.concat([...begun, bytes.subarray(0, first)]);
      begun = [];
    }
    if (end > first) yield bytes.subarray(first, end);
    if (end < bytes.length) begun.push(bytes.subarray(end));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/** Where the line that starts here ends, its line feed left out. */
export function lineEnd(text: Buffer, start: number): number {
  const feed = text.indexOf(LF, start);
  return feed < 0 ? text.length : feed;
}

/** Each line of whole ones. */
export function* linesOf(text: Buffer): Generator<EventLine> {
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    yield { text, start, end };
    start = end + 1;
  }
}
