import { createElasticBulkSink } from '../functions/adapters/elastic-bulk-sink.ts';
import type { SinkConnectionOptions } from '../functions/adapters/sink-connection.ts';
import { createSplunkHecSink } from '../functions/adapters/splunk-hec-sink.ts';
import { systemClock } from '../functions/adapters/system-clock.ts';
import { ecsDocumentOfStream } from '../functions/core/ecs/of-stream.ts';
import { asOrglogError } from '../functions/core/errors.ts';
import type { Sink } from '../functions/core/ports-delivery.ts';
import { startElasticsearch } from './sinks/elasticsearch.ts';
import { startSplunkHec } from './sinks/splunk-hec.ts';

export type SinkName = 'splunk' | 'elastic';

/** A sink that events are to be pushed to. */
export interface PushOrder {
  readonly name: SinkName;
  /** Absent: a stand-in of this process. */
  readonly real?: {
    readonly url: string;
    /** The value of the `Authorization` header. */
    readonly authorization: string;
    /** The environment variables that it was made of, for people. */
    readonly variables: string;
  };
}

/** A sink, ready to be sent to. */
export interface OpenSink extends AsyncDisposable {
  readonly order: PushOrder;
  /** Names its queue, its ledger rows and its folder under `rejected/`. */
  readonly destination: string;
  readonly sink: Sink;
  /** How many events a stand-in holds. */
  readonly held?: () => number;
}

/** As the index templates of siem/elastic have them. */
const DATA_STREAM = 'logs-orglog.events-default';
const DATA_STREAMS = 'logs-orglog.*-default';

const STAND_IN_SECRET = 'stand-in';
const STAND_IN_AUTHORIZATION: Readonly<Record<SinkName, string>> = {
  splunk: `Splunk ${STAND_IN_SECRET}`,
  elastic: `ApiKey ${STAND_IN_SECRET}`,
};

/**
 * What stands for a destination in queue and ledger. A stand-in forgets with its process: what it was given must not
 * count as given to a real one.
 */
export function destinationOf({ name, real }: PushOrder): string {
  return real === undefined ? `${name}-stand-in` : name;
}

/**
 * The sink at the order's URL, or a stand-in started for it; nothing is sent yet.
 * @throws OrglogError `configuration` for a URL that is refused, `unavailable` when no port can be had
 */
export async function openSink(order: PushOrder): Promise<OpenSink> {
  const { name, real } = order;
  await using opened = new AsyncDisposableStack();
  const standIn = real === undefined ? opened.use(await startStandIn(name)) : undefined;
  const authorization = real?.authorization ?? STAND_IN_AUTHORIZATION[name];
  const connection = {
    url: real?.url ?? standIn?.url ?? '',
    credentials: { authorization: async () => authorization },
  };
  const sink = opened.use(CREATE[name](connection));
  const all = opened.move();
  return {
    order,
    destination: destinationOf(order),
    sink,
    ...(standIn !== undefined && { held: standIn.held }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const CREATE: Readonly<Record<SinkName, (connection: SinkConnectionOptions) => Sink & AsyncDisposable>> = {
  splunk: (connection) => createSplunkHecSink({ ...connection, clock: systemClock }),
  elastic: (connection) =>
    createElasticBulkSink({
      ...connection,
      clock: systemClock,
      dataStream: DATA_STREAM,
      toDocument: ecsDocumentOfStream,
    }),
};

interface StandIn extends AsyncDisposable {
  readonly url: string;
  readonly held: () => number;
}

async function startStandIn(name: SinkName): Promise<StandIn> {
  try {
    return name === 'splunk' ? await splunkStandIn() : await elasticStandIn();
  } catch (error) {
    throw asOrglogError(error, 'unavailable');
  }
}

async function splunkStandIn(): Promise<StandIn> {
  const server = await startSplunkHec({ tokens: [{ token: STAND_IN_SECRET }] });
  const { url, close } = server;
  return { url, held: () => server.events.length, [Symbol.asyncDispose]: close };
}

async function elasticStandIn(): Promise<StandIn> {
  const server = await startElasticsearch({ credentials: [{ apiKey: STAND_IN_SECRET }] });
  const { url, close } = server;
  return { url, held: () => server.documents(DATA_STREAMS).length, [Symbol.asyncDispose]: close };
}
