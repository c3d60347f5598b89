import { parsed } from './concatenated-json.ts';
import { ElasticRefusal, elasticAnswerOf, illegalArgument, PRODUCT } from './elastic-answers.ts';
import { authenticate, type ElasticCredential } from './elastic-auth.ts';
import { type BulkItem, bulkItem, type ItemFailure } from './elastic-bulk.ts';
import { type BulkOperation, bulkOperations } from './elastic-bulk-lines.ts';
import { type ElasticDocument, ElasticIndices } from './elastic-indices.ts';
import type { Mapping } from './elastic-mapping.ts';
import {
  type SinkAnswer,
  type SinkCall,
  type SinkServer,
  type SinkServerOptions,
  type SinkService,
  startSinkServer,
} from './sink-server.ts';

/** `http.max_content_length` as Elasticsearch ships. */
const DEFAULT_MAX_BYTES = 100 * 1024 * 1024;
const VERSION = '9.1.0';
const PARAMETERS = ['pretty', 'refresh', 'require_data_stream', 'timeout', 'size'];
const BODY_TYPE =
  /^application\/((vnd\.elasticsearch\+)?(x-nd)?json)\s*(;\s*(compatible-with=[89]|charset=utf-8)\s*)*$/i;

/** Misbehaviour that only `_bulk` is capable of. */
export type BulkFault = {
  /** Operations that `failing` gives a failure get it in their item; with `takesEffect`, they are carried out all the same. */
  readonly kind: 'items';
  readonly failing: (operation: BulkOperation, position: number) => ItemFailure | undefined;
  readonly takesEffect?: boolean;
};

export interface ElasticsearchOptions extends Omit<SinkServerOptions, 'maxBytes'> {
  /** Who may call. Default: everybody. */
  readonly credentials?: readonly ElasticCredential[];
  /** Names or patterns of data streams, as if an index template matched them. Default `['logs-*-*']`, as it ships. */
  readonly dataStreams?: readonly string[];
  /** Whether writing to an index that nothing describes creates it. Default true, as it ships. */
  readonly autoCreate?: boolean;
  /** Fields whose values are held against their type. Default: none but a data stream's `@timestamp`. */
  readonly mapping?: Mapping;
  /** Default 100 MiB (`http.max_content_length`); it is held against the body as sent and as inflated. */
  readonly maxBytes?: number;
}

/** The stand-in for Elasticsearch as far as writing logs goes, listening. */
export interface Elasticsearch extends SinkServer<BulkFault> {
  /** What an index, a data stream or a pattern holds, oldest first. */
  documents(pattern: string): ElasticDocument[];
  /** Give a data stream a new backing index. Throws when there is no such data stream. */
  rollOver(dataStream: string): void;
}

/** Start the stand-in. Rejects when the port is in use. */
export async function startElasticsearch(options: ElasticsearchOptions = {}): Promise<Elasticsearch> {
  const cluster = new Cluster(options);
  const server = await startSinkServer(cluster, { maxBytes: DEFAULT_MAX_BYTES, ...options });
  return {
    ...server,
    documents: (pattern) => cluster.documents(pattern),
    rollOver: (dataStream) => cluster.indices.rollOver(dataStream),
  };
}

class Cluster implements SinkService<BulkFault> {
  readonly indices: ElasticIndices;
  readonly #credentials: readonly ElasticCredential[];
  readonly #mapping: Mapping;
  readonly #now: () => number;

  constructor(options: ElasticsearchOptions) {
    const { credentials = [], mapping = {}, dataStreams = ['logs-*-*'], autoCreate = true } = options;
    this.#credentials = credentials;
    this.#mapping = mapping;
    this.#now = options.now ?? Date.now;
    this.indices = new ElasticIndices({ dataStreams, autoCreate }, this.#now);
  }

  handle(call: SinkCall, fault: BulkFault | undefined): SinkAnswer {
    const answer = this.#answerOrRefusal(call, fault);
    const compatible = /compatible-with=(\d)/.exec(
      `${call.headers.accept} ${call.headers['content-type']}`,
    )?.[1];
    const type = compatible && `application/vnd.elasticsearch+json;compatible-with=${compatible}`;
    return { ...answer, headers: { ...PRODUCT, ...(type && { 'content-type': type }), ...answer.headers } };
  }

  unreadable(reason: 'too-large' | 'not-gzip' | 'unknown-encoding'): SinkAnswer {
    if (reason === 'too-large') return elasticAnswerOf(413);
    return { ...illegalArgument(`the body could not be read: ${reason}`).answer, headers: PRODUCT };
  }

  answerOf(status: number): SinkAnswer {
    return elasticAnswerOf(status);
  }

  documents(pattern: string): ElasticDocument[] {
    const indices = this.indices.find(pattern).flatMap(({ backing }) => backing);
    return indices.flatMap(({ documents }) => [...documents.values()]);
  }

  #answerOrRefusal(call: SinkCall, fault: BulkFault | undefined): SinkAnswer {
    try {
      return this.#route(call, fault);
    } catch (error) {
      if (error instanceof ElasticRefusal) return error.answer;
      throw error;
    }
  }

  #route(call: SinkCall, fault: BulkFault | undefined): SinkAnswer {
    const caller = authenticate(call, this.#credentials);
    const parts = call.path.split('/').slice(1).map(decodeURIComponent);
    const endpoint = parts.at(-1) ?? '';
    const target = parts.length === 2 ? parts[0] : undefined;
    const reads = call.method === 'GET' || call.method === 'POST';
    if (call.path === '/' && (call.method === 'GET' || call.method === 'HEAD')) return greeting();
    if (parts.length <= 2 && endpoint === '_bulk' && (call.method === 'POST' || call.method === 'PUT')) {
      return this.#bulk(call, target, caller, fault);
    }
    if (target !== undefined && endpoint === '_refresh' && reads)
      return { status: 200, body: { _shards: SHARDS } };
    if (target !== undefined && endpoint === '_count' && reads) return this.#count(target);
    if (target !== undefined && endpoint === '_search' && reads) return this.#search(call, target);
    const error = `no handler found for uri [${call.path}] and method [${call.method}]`;
    return { status: 400, body: { error } };
  }

  #bulk(
    call: SinkCall,
    target: string | undefined,
    caller: ElasticCredential,
    fault: BulkFault | undefined,
  ): SinkAnswer {
    const startedAt = this.#now();
    const type = call.headers['content-type'] ?? '';
    if (!BODY_TYPE.test(type)) {
      return { status: 406, body: { error: `Content-Type header [${type}] is not supported`, status: 406 } };
    }
    const unknown = [...call.query.keys()].find((name) => !PARAMETERS.includes(name));
    if (unknown !== undefined) {
      throw illegalArgument(`request [${call.path}] contains unrecognized parameter: [${unknown}]`);
    }
    const requireDataStream = ['', 'true'].includes(call.query.get('require_data_stream') ?? 'false');
    const context = { indices: this.indices, mapping: this.#mapping, caller, requireDataStream };
    const items = bulkOperations(call.body.toString('utf8'), target).map((operation, position) => {
      const failure = fault?.failing(operation, position);
      const carriedOut = failure && !fault?.takesEffect ? undefined : bulkItem(operation, context);
      const item: BulkItem = failure
        ? { _index: operation.target, _id: operation.id, ...failure }
        : (carriedOut ?? { status: 500 });
      return { [operation.action]: item };
    });
    const errors = items.some((item) => Object.values(item).some(({ error }) => error !== undefined));
    return { status: 200, body: { errors, took: this.#now() - startedAt, items } };
  }

  #count(pattern: string): SinkAnswer {
    this.#mustExist(pattern);
    return { status: 200, body: { count: this.documents(pattern).length, _shards: SHARDS } };
  }

  /** The oldest `size` documents (default 10), whatever the query: enough to look at what arrived. */
  #search({ query, body }: SinkCall, pattern: string): SinkAnswer {
    this.#mustExist(pattern);
    const asked = parsed(body.toString('utf8'));
    const inBody = typeof asked === 'object' && asked !== null && 'size' in asked ? asked.size : undefined;
    const found = this.documents(pattern);
    const hits = found.slice(0, Number(query.get('size') ?? inBody ?? 10)).map(
      ({ index, id, source }) =>
        // Spliced in as text: a number that no double can hold would not survive parsing.
        `{"_index":${JSON.stringify(index)},"_id":${JSON.stringify(id)},"_score":1,"_source":${source}}`,
    );
    const total = JSON.stringify({ value: found.length, relation: 'eq' });
    return {
      status: 200,
      body: `{"took":0,"timed_out":false,"_shards":${JSON.stringify(SHARDS)},"hits":{"total":${total},"max_score":1,"hits":[${hits}]}}`,
    };
  }

  #mustExist(pattern: string): void {
    if (pattern.includes('*') || this.indices.find(pattern).length > 0) return;
    throw new ElasticRefusal(404, {
      type: 'index_not_found_exception',
      reason: `no such index [${pattern}]`,
      index: pattern,
    });
  }
}

const SHARDS = { total: 1, successful: 1, skipped: 0, failed: 0 };

function greeting(): SinkAnswer {
  return {
    status: 200,
    body: {
      name: 'stand-in',
      cluster_name: 'stand-in',
      cluster_uuid: 'stand-in',
      version: { number: VERSION, build_flavor: 'default', build_type: 'tar', lucene_version: '10.2.2' },
      tagline: 'You Know, for Search',
    },
  };
}
