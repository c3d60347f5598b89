import { gunzipped } from '../../functions/core/delivery/lines.ts';
import { objectKey } from '../../functions/core/keys.ts';
import type { Archive, CursorRow } from '../../functions/core/ports.ts';

const endless = new AbortController().signal;

/** A line of the archive with the identifier that its event has wherever it goes. */
export interface ArchivedLine {
  readonly eventId: string;
  readonly line: string;
}

/** Everything that a row has committed, in order. @throws where an object is missing */
export async function linesOf(archive: Pick<Archive, 'get'>, row: CursorRow): Promise<ArchivedLine[]> {
  const all: ArchivedLine[] = [];
  for (let sequence = 1; sequence <= row.sequence; sequence++) {
    const key = objectKey(row, sequence);
    const lines = key === undefined ? undefined : await readLines(archive, key);
    if (lines === undefined) throw new Error(`batch ${sequence} of ${row.stream} is not in the archive`);
    const prefix = `${row.org}:${row.stream.split('.')[0]}:${row.epoch}:${sequence}`;
    lines.forEach((line, index) => {
      all.push({ eventId: `${prefix}:${index + 1}`, line });
    });
  }
  return all;
}

/** An object's lines, unpacked; `undefined` where there is no such object. */
export async function readLines(archive: Pick<Archive, 'get'>, key: string): Promise<string[] | undefined> {
  const stored = await archive.get(key, endless);
  if (stored === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of gunzipped(stored)) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
}
