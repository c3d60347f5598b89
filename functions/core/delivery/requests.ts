import type { Sink, SinkRequest } from '../ports-delivery.ts';
import type { AnnouncedEvents } from './announced.ts';

/** One event on its way. */
export interface PendingEvent {
  /** Counted from 1, as an editor counts. */
  readonly line: number;
  /** As the archive holds it, without its line feed. */
  readonly original: Buffer;
  /** Where it lies, encoded, in its request's bytes. */
  readonly start: number;
  readonly end: number;
}

/** Events that go into one request together, and that request. */
export interface PendingRequest {
  readonly events: readonly PendingEvent[];
  /** The events encoded, one after another. Valid until the request after the next one is asked for. */
  readonly bytes: Buffer;
  readonly request: SinkRequest;
  /** Whether the object ends with it. */
  readonly last: boolean;
}

/**
 * An object's events in requests as large as the sink's limits allow; an event that is larger than they are goes alone.
 * Events are encoded into one of two buffers in turns, so that memory holds two requests and the piece of the object
 * that is being read, whatever the object's size.
 *
 * @param skip lines that are settled already
 */
export async function* requestsOf(
  lines: AsyncIterable<readonly Buffer[]>,
  { org, idPrefix, announcedAt }: AnnouncedEvents,
  sink: Sink,
  skip: number,
): AsyncGenerator<PendingRequest> {
  const { limits } = sink;
  let buffer = Buffer.allocUnsafeSlow(limits.bytes);
  let other: Buffer<ArrayBuffer> | undefined;
  let events: PendingEvent[] = [];
  let at = 0;
  let line = 0;

  const close = async (last: boolean): Promise<PendingRequest> => {
    const bytes = buffer.subarray(0, at);
    const request = await sink.pack([bytes], events.length);
    return { events, bytes, request, last };
  };

  for await (const several of lines) {
    for (const original of several) {
      line += 1;
      if (line <= skip) continue;
      const place = { org, eventId: `${idPrefix}${line}`, announcedAt };
      let end = events.length === limits.events ? -1 : sink.encode(original, place, buffer, at);
      if (end < 0 && events.length > 0) {
        yield await close(false);
        const next = other ?? Buffer.allocUnsafeSlow(limits.bytes);
        other = buffer.length > limits.bytes ? undefined : buffer;
        buffer = next;
        events = [];
        at = 0;
        end = sink.encode(original, place, buffer, at);
      }
      if (end < 0) {
        buffer = Buffer.allocUnsafeSlow(-end);
        end = sink.encode(original, place, buffer, at);
      }
      events.push({ line, original, start: at, end });
      at = end;
    }
  }
  if (events.length > 0) yield await close(true);
}

/** A request of some of a request's events. */
export function packed(events: readonly PendingEvent[], bytes: Buffer, sink: Sink): Promise<SinkRequest> {
  return sink.pack(
    events.map(({ start, end }) => bytes.subarray(start, end)),
    events.length,
  );
}
