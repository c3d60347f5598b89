import { identityDataStream } from '../core/delivery/data-streams.ts';
import { type DocumentMapper, elasticEncoder } from '../core/delivery/elastic-event.ts';
import type { Clock } from '../core/ports.ts';
import type { EventStream, SendOutcome, Sink, SinkRequest } from '../core/ports-delivery.ts';
import { bulkOutcome } from './bulk-answer.ts';
import { gzipped, SinkConnection, type SinkConnectionOptions } from './sink-connection.ts';

export interface ElasticBulkSinkOptions extends SinkConnectionOptions {
  /** Where the sign-in log's events go, for example `logs-orglog.events-default`; the identity feed's: data-streams.ts. */
  readonly dataStream: string;
  readonly toDocument: DocumentMapper;
  /** For a `Retry-After` that is a date. */
  readonly clock: Pick<Clock, 'now'>;
}

/** Before compression: a thousand documents and more. Larger ones hold more in memory here, and are no faster. */
const MAX_REQUEST_BYTES = 2_000_000;
const MAX_REQUEST_EVENTS = 10_000;

/** Elasticsearch's `_bulk` on a data stream. */
export function createElasticBulkSink(options: ElasticBulkSinkOptions): Sink & AsyncDisposable {
  const connection = new SinkConnection(options);
  // In the path rather than beside each event: a cluster may refuse the latter (rest.action.multi.allow_explicit_index).
  const paths: Readonly<Record<EventStream, string>> = {
    logs: pathOf(options.dataStream),
    identities: pathOf(identityDataStream(options.dataStream)),
  };
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  return {
    limits: { bytes: MAX_REQUEST_BYTES, events: MAX_REQUEST_EVENTS },
    encode: elasticEncoder(options.toDocument),
    pack: gzipped,
    async send({ body, count, stream }: SinkRequest, signal: AbortSignal): Promise<SendOutcome> {
      const answer = await connection.post(paths[stream], body, headers, signal);
      return bulkOutcome(answer, count, options.clock.now());
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function pathOf(dataStream: string): string {
  return `/${encodeURIComponent(dataStream)}/_bulk`;
}
