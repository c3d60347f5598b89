import { isUtf8 } from 'node:buffer';
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
