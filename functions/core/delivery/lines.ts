import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

const LF = 0x0a;

/** Bytes zlib fills before it hands them over: larger means fewer trips to its thread. */
const CHUNK_BYTES = 256 * 1024;

/** What a stored object holds, uncompressed; ends with an error where the object is damaged or cut short. */
export async function* gunzipped(stored: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // Its callback must be there, or a failure would be thrown at nobody; the loop sees it as well.
  yield* pipeline(stored, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) as AsyncIterable<Buffer>;
}

/**
 * The lines of a text in pieces, without their line feeds: as many at once as each piece completes. Views share the
 * pieces' memory.
 */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[]> {
  // A line may span many pieces: joined once it is complete.
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      const line = bytes.subarray(start, end);
      lines.push(begun.length === 0 ? line : Buffer.concat([...begun, line]));
      begun = [];
      start = end + 1;
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (begun.length > 0) yield [Buffer.concat(begun)];
}
