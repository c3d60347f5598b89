import { hash } from 'node:crypto';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OrglogError } from './errors.ts';

const LF = 0x0a;

/**
 * Lines that are archived already, as a multiset: an equal line is taken out as often as it was committed, so that two
 * equal events stay two. Kept as SHA-256 digests: equal digests mean equal bytes.
 */
export class KnownLines {
  private readonly counts = new Map<string, number>();

  get distinct(): number {
    return this.counts.size;
  }

  add(line: Uint8Array): void {
    const digest = hash('sha256', line, 'base64');
    this.counts.set(digest, (this.counts.get(digest) ?? 0) + 1);
  }

  /** Add all lines of a gzipped object; `key` is for the error where it is none. */
  async addObject(key: string, gzipped: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const line of linesOf(gunzip(key, gzipped))) this.add(line);
  }

  /** `lines` (LF-terminated) without those known, as runs of the same memory; each taken out is forgotten once. */
  takeOut(lines: Buffer): { readonly kept: readonly Buffer[]; readonly removed: number } {
    if (this.counts.size === 0) return { kept: lines.length > 0 ? [lines] : [], removed: 0 };
    const kept: Buffer[] = [];
    let removed = 0;
    let runStart = 0;
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(LF, start);
      if (this.forget(lines.subarray(start, end))) {
        removed++;
        if (start > runStart) kept.push(lines.subarray(runStart, start));
        runStart = end + 1;
      }
      start = end + 1;
    }
    if (lines.length > runStart) kept.push(lines.subarray(runStart));
    return { kept, removed };
  }

  private forget(line: Uint8Array): boolean {
    const digest = hash('sha256', line, 'base64');
    const count = this.counts.get(digest);
    if (count === undefined) return false;
    if (count === 1) this.counts.delete(digest);
    else this.counts.set(digest, count - 1);
    return true;
  }
}

/** The lines of NDJSON, without their LF. */
async function* linesOf(ndjson: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let partial: Buffer[] = [];
  for await (const chunk of ndjson) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const tail = chunk.subarray(start, end);
      yield partial.length > 0 ? Buffer.concat([...partial, tail]) : tail;
      partial = [];
      start = end + 1;
    }
    if (start < chunk.length) partial.push(chunk.subarray(start));
  }
}

async function* gunzip(key: string, gzipped: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // A failure of either side destroys the last stream with its error, which the loop below then throws.
  const plain = pipeline(gzipped, createGunzip(), () => {});
  try {
    for await (const chunk of plain) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof OrglogError) throw error;
    throw new OrglogError(
      'storage',
      `the archived object ${key} could not be read back to take out repeats: it is not whole gzip, so something else wrote there. Restore it from its versions; or remove it, and its events may be archived once more`,
      { cause: error },
    );
  }
}
