import { createElasticBulkSink } from '../adapters/elastic-bulk-sink.ts';
import { ELASTIC_SECRET } from '../adapters/sink-secrets.ts';
import { ecsDocumentOfStream } from '../core/ecs/of-stream.ts';
import { type DeliverOverrides, openDeliverContainer } from './deliver-container.ts';
import { elasticEnvironment } from './deliver-environment.ts';
import { type DeliverHandler, deliverHandler } from './deliver-messages.ts';

/** The function that delivers to one Elasticsearch, as ECS documents by `_bulk`. The environment says all. */
export function makeHandler(overrides: DeliverOverrides = {}): DeliverHandler {
  return deliverHandler(() => {
    const env = elasticEnvironment(overrides.env ?? process.env);
    return openDeliverContainer(
      env,
      ELASTIC_SECRET,
      (connection, clock) =>
        createElasticBulkSink({
          ...connection,
          clock,
          dataStream: env.ORGLOG_ELASTIC_DATA_STREAM,
          toDocument: ecsDocumentOfStream,
        }),
      overrides,
    );
  });
}

export const handler: DeliverHandler = makeHandler();
