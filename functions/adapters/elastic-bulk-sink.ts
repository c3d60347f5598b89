import { type DocumentMapper, elasticEncoder } from '../core/delivery/elastic-event.ts';
import type { Clock } from '../core/ports.ts';
import type { SendOutcome, Sink, SinkRequest } from '../core/ports-delivery.ts';
import { bulkOutcome } from './bulk-answer.ts';
import { gzipped, SinkConnection, type SinkConnectionOptions } from './sink-connection.ts';

export interface ElasticBulkSinkOptions extends SinkConnectionOptions {
  /** Where the events go, for example `logs-orglog.events-default`. */
  readonly dataStream: string;
  readonly toDocument: DocumentMapper;
  /** For a `Retry-After` that is a date. */
  readonly clock: Pick<Clock, 'now'>;
}

/** Elastic advises 5 to 15 MB before compression ("Tune for indexing speed"); Elasticsearch itself refuses 100 MB. */
const MAX_REQUEST_BYTES = 5_000_000;
const MAX_REQUEST_EVENTS = 10_000;

/** Elasticsearch's `_bulk` on a data stream. */
export function createElasticBulkSink(options: ElasticBulkSinkOptions): Sink & AsyncDisposable {
  const connection = new SinkConnection(options);
  const path = `/${encodeURIComponent(options.dataStream)}/_bulk`;
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  return {
    limits: { bytes: MAX_REQUEST_BYTES, events: MAX_REQUEST_EVENTS },
    encode: elasticEncoder(options.toDocument),
    pack: gzipped,
    async send({ body, count }: SinkRequest, signal: AbortSignal): Promise<SendOutcome> {
      const answer = await connection.post(path, body, headers, signal);
      return bulkOutcome(answer, count, options.clock.now());
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
