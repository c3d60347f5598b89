import type { EventPlace, Sink } from '../ports-delivery.ts';

/** One event's line as the document that Elasticsearch is to hold. Never throws. */
export type DocumentMapper = (
  line: string,
  context: Pick<EventPlace, 'org' | 'stream' | 'eventId'> & { readonly collectedAt: number },
) => object;

/**
 * Events as `_bulk` takes them: a `create` action with the event's identifier, and the document (Elasticsearch, "Bulk
 * API"). A second `create` under one `_id` is answered 409: what was sent twice is there once.
 */
export function elasticEncoder(toDocument: DocumentMapper): Sink['encode'] {
  return (line, { org, stream, eventId, announcedAt }, into, at) => {
    const document = toDocument(line.text.toString('utf8', line.start, line.end), {
      org,
      stream,
      eventId,
      collectedAt: announcedAt,
    });
    const text = `{"create":{"_id":"${eventId}"}}\n${JSON.stringify(document)}\n`;
    const bytes = Buffer.byteLength(text);
    if (at + bytes > into.length) return -bytes;
    return at + into.write(text, at);
  };
}
