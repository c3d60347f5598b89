import type { EventLine, EventStream, Sink, SinkRequest } from '../ports-delivery.ts';
import type { AnnouncedEvents } from './announced.ts';
import { lineEnd } from './lines.ts';

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
  readonly events: PendingEvents;
  /** The events encoded, one after another. Valid until the request after the next one is asked for. */
  readonly bytes: Buffer;
  readonly request: SinkRequest;
  /** Whether the object ends with it. */
  readonly last: boolean;
}

/**
 * The events of one request. Most are accepted and never looked at again: they are kept as numbers, since a million
 * small objects that outlive a request cost the garbage collector as much time as everything else here together.
 */
export class PendingEvents {
  /** Of the first one, counted from 1; the others follow without a hole. */
  readonly #firstLine: number;
  readonly #ends: number[] = [];
  /** Where the originals lie: in which text, from where, to where. */
  readonly #texts: Buffer[] = [];
  readonly #lines: number[] = [];

  constructor(firstLine: number) {
    this.#firstLine = firstLine;
  }

  get length(): number {
    return this.#ends.length;
  }

  get lastLine(): number {
    return this.#firstLine + this.length - 1;
  }

  /** @param encodedEnd where the event ends in its request's bytes; it starts where the one before ends */
  push({ text, start, end }: EventLine, encodedEnd: number): void {
    if (this.#texts.at(-1) !== text) this.#texts.push(text);
    this.#lines.push(this.#texts.length - 1, start, end);
    this.#ends.push(encodedEnd);
  }

  /** Each of them. */
  all(): PendingEvent[] {
    return this.#ends.map((end, index) => {
      const [text = 0, from, to] = this.#lines.slice(3 * index, 3 * index + 3);
      return {
        line: this.#firstLine + index,
        original: this.#texts[text]?.subarray(from, to) ?? Buffer.alloc(0),
        start: this.#ends[index - 1] ?? 0,
        end,
      };
    });
  }
}

/**
 * An object's events in requests as large as the sink's limits allow; an event that is larger than they are goes alone.
 * Events are encoded into one of two buffers in turns, so that memory holds two requests and the piece of the object
 * that is being read, whatever the object's size.
 *
 * @param texts the object in whole lines
 * @param skip lines that are settled already
 */
export async function* requestsOf(
  texts: AsyncIterable<Buffer>,
  { org, stream, idPrefix, announcedAt, refusedLine = 1 }: AnnouncedEvents,
  sink: Sink,
  skip: number,
): AsyncGenerator<PendingRequest> {
  const { limits } = sink;
  let buffer = Buffer.allocUnsafeSlow(limits.bytes);
  let other: Buffer<ArrayBuffer> | undefined;
  let line = refusedLine - 1;
  let events = new PendingEvents(Math.max(skip, line) + 1);
  let at = 0;

  const close = async (last: boolean): Promise<PendingRequest> => {
    const bytes = buffer.subarray(0, at);
    const request = await sink.pack([bytes], events.length, stream);
    return { events, bytes, request, last };
  };

  for await (const text of texts) {
    const original = { text, start: 0, end: 0 };
    for (; original.start < text.length; original.start = original.end + 1) {
      original.end = lineEnd(text, original.start);
      line += 1;
      if (line <= skip) continue;
      const place = { org, stream, eventId: `${idPrefix}${line}`, announcedAt };
      let end = events.length === limits.events ? -1 : sink.encode(original, place, buffer, at);
      if (end < 0 && events.length > 0) {
        yield await close(false);
        const next = other ?? Buffer.allocUnsafeSlow(limits.bytes);
        other = buffer.length > limits.bytes ? undefined : buffer;
        buffer = next;
        events = new PendingEvents(line);
        at = 0;
        end = sink.encode(original, place, buffer, at);
      }
      if (end < 0) {
        buffer = Buffer.allocUnsafeSlow(-end);
        end = sink.encode(original, place, buffer, at);
      }
      events.push(original, end);
      at = end;
    }
  }
  if (events.length > 0) yield await close(true);
}

/** A request of some of a request's events. */
export function packed(
  events: readonly PendingEvent[],
  bytes: Buffer,
  sink: Sink,
  stream: EventStream,
): Promise<SinkRequest> {
  return sink.pack(
    events.map(({ start, end }) => bytes.subarray(start, end)),
    events.length,
    stream,
  );
}
