import type { Sink, SinkRequest } from '../ports-delivery.ts';
import type { AnnouncedEvents } from './announced.ts';

/** One event on its way. */
export interface PendingEvent {
  /** Counted from 1, as an editor counts. */
  readonly line: number;
  /** As the archive holds it, without its line feed. */
  readonly original: Buffer;
  readonly encoded: Uint8Array;
}

/** Events that go into one request together, and that request. */
export interface PendingRequest {
  readonly events: readonly PendingEvent[];
  readonly request: SinkRequest;
  /** Whether the object ends with it. */
  readonly last: boolean;
}

/**
 * An object's events in requests as large as the sink's limits allow; an event that is larger than they are goes alone.
 * Only one request and the piece of the object that is being read are in memory.
 *
 * @param skip lines that are settled already
 */
export async function* requestsOf(
  lines: AsyncIterable<readonly Buffer[]>,
  object: AnnouncedEvents,
  sink: Sink,
  skip: number,
): AsyncGenerator<PendingRequest> {
  const { org, idPrefix, announcedAt } = object;
  let events: PendingEvent[] = [];
  let bytes = 0;
  let line = 0;
  for await (const several of lines) {
    for (const original of several) {
      line += 1;
      if (line <= skip) continue;
      const place = { org, eventId: `${idPrefix}${line}`, announcedAt };
      const encoded = sink.encode(original, place);
      const full = bytes + encoded.length > sink.limits.bytes || events.length === sink.limits.events;
      if (full && events.length > 0) {
        yield { events, request: await packed(events, sink), last: false };
        events = [];
        bytes = 0;
      }
      events.push({ line, original, encoded });
      bytes += encoded.length;
    }
  }
  if (events.length > 0) yield { events, request: await packed(events, sink), last: true };
}

/** A request of these events. */
export function packed(events: readonly PendingEvent[], sink: Sink): Promise<SinkRequest> {
  return sink.pack(events.map(({ encoded }) => encoded));
}
