import type { EventPlace } from '../ports-delivery.ts';

/** One event's line as the document that Elasticsearch is to hold. Never throws. */
export type DocumentMapper = (
  line: string,
  context: { readonly org: string; readonly eventId: string; readonly collectedAt: number },
) => object;

/**
 * Events as `_bulk` takes them: a `create` action with the event's identifier, and the document (Elasticsearch, "Bulk
 * API"). A second `create` under one `_id` is answered 409: what was sent twice is there once.
 */
export function elasticEncoder(toDocument: DocumentMapper): (line: Buffer, place: EventPlace) => Uint8Array {
  return (line, { org, eventId, announcedAt }) => {
    const document = toDocument(line.toString('utf8'), { org, eventId, collectedAt: announcedAt });
    return Buffer.from(`{"create":{"_id":"${eventId}"}}\n${JSON.stringify(document)}\n`);
  };
}
