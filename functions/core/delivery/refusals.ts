import { isUtf8 } from 'node:buffer';
import * as z from 'zod/mini';
import { OrglogError } from '../errors.ts';
import type { ObjectToPut } from '../ports.ts';
import type { AnnouncedEvents } from './announced.ts';
import type { PendingEvent } from './requests.ts';

/** So many refusals running mean that the fault is elsewhere (design §5): in the sink, or in how events are sent. */
export const REFUSALS_THAT_STOP = 100;

/** An event that the sink will never take, and why. */
export interface Refusal {
  readonly event: PendingEvent;
  readonly reason: string;
  readonly detail?: string;
}

/**
 * Where a refused event lies in the archive: one line of JSON with the event's exact text, under a key that says which
 * event it is, so that a delivery that comes to it again meets its own object.
 */
export function refusedObject(
  { event: { line, original }, reason, detail }: Refusal,
  destination: string,
  { key, idPrefix }: AnnouncedEvents,
): ObjectToPut {
  const text = {
    event_id: `${idPrefix}${line}`,
    reason,
    ...(detail !== undefined && { detail }),
    destination,
    object: key,
    line,
    // Bytes that are no text stay what they are.
    ...(isUtf8(original)
      ? { event: original.toString('utf8') }
      : { event_base64: original.toString('base64') }),
  };
  return {
    key: `rejected/${destination}/${key.replace(/\.ndjson\.gz$/, '')}-${line}.ndjson`,
    body: [Buffer.from(`${JSON.stringify(text)}\n`)],
    contentType: 'application/x-ndjson',
    metadata: {},
  };
}

/** What is laid aside of one refused event. */
export interface RefusedRecord {
  readonly eventId: string;
  readonly reason: string;
  /** May quote the event. */
  readonly detail?: string;
  /** Key of the object that holds the event. */
  readonly object: string;
  readonly line: number;
  /** The line's exact bytes. */
  readonly event: Buffer;
}

const record = z.lazy(() =>
  z.object({
    event_id: z.string(),
    reason: z.string(),
    detail: z.exactOptional(z.string()),
    object: z.string(),
    line: z.number(),
    event: z.exactOptional(z.string()),
    event_base64: z.exactOptional(z.base64()),
  }),
);

/**
 * What `refusedObject` wrote.
 *
 * @throws OrglogError where it holds anything else; the message quotes nothing of it
 */
export async function readRefused(stored: AsyncIterable<Uint8Array>): Promise<RefusedRecord> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stored) chunks.push(chunk);
  const parsed = record.safeParse(jsonIn(Buffer.concat(chunks)));
  const text = parsed.data?.event;
  const base64 = parsed.data?.event_base64;
  const event = text === undefined ? base64 && Buffer.from(base64, 'base64') : Buffer.from(text);
  if (!parsed.success || !event) {
    throw new OrglogError('storage', 'it is no refused event of ours: bring back the version before');
  }
  const { event_id: eventId, reason, detail, object, line } = parsed.data;
  return { eventId, reason, ...(detail !== undefined && { detail }), object, line, event };
}

/** The one line that is to be sent again. */
export async function* refusedLines(stored: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const { event } = await readRefused(stored);
  yield event;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
