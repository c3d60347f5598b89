import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createElasticBulkSink } from '../../functions/adapters/elastic-bulk-sink.ts';
import { ecsDocumentOfStream } from '../../functions/core/ecs/of-stream.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { impatientClock, StatedCredentials, send } from '../adapters/sink-bed.ts';
import { type Pipeline, pipelineForOpenSearch, templateForOpenSearch } from './opensearch-dialect.ts';

const url = process.env.ORGLOG_TEST_OPENSEARCH ?? '';
const ELASTIC = new URL('../../siem/elastic/', import.meta.url);

function read<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, ELASTIC), 'utf8')) as T;
}

async function ask<T = unknown>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const answer = (await response.json()) as T;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const FEEDS = [
  { name: 'events', files: '', tests: 'test-events' },
  { name: 'identities', files: 'identities-', tests: 'test-identities' },
] as const;

beforeAll(async () => {
  for (const { name, files } of FEEDS) {
    const pipeline = read<Pipeline>(`plain/${files}ingest-pipeline.json`);
    await ask('PUT', `_ingest/pipeline/orglog-${name}`, pipelineForOpenSearch(pipeline));
    const template = templateForOpenSearch(read<object>(`plain/${files}index-template.json`));
    await ask('PUT', `_index_template/orglog-${name}`, template);
  }
});

interface Simulated {
  readonly docs: readonly { readonly doc: { readonly _source: Document } }[];
}
type Document = Record<string, unknown> & { readonly event: Record<string, unknown> };

describe.each(FEEDS)('the pipeline of $name', ({ name, tests }) => {
  const folder = `orglog/data_stream/${name}/_dev/test/pipeline`;

  it('makes of the package’s events what the package expects', async () => {
    const { events } = read<{ events: object[] }>(`${folder}/${tests}.json`);
    const { expected } = read<{ expected: Document[] }>(`${folder}/${tests}.json-expected.json`);
    const docs = events.map((source) => ({ _index: 'logs-orglog', _source: source }));
    const { docs: made } = await ask<Simulated>('POST', `_ingest/pipeline/orglog-${name}/_simulate`, {
      docs,
    });
    expect(made).toHaveLength(expected.length);
    const pairs = made.map(({ doc }, at) => [doc._source, expected[at] as Document] as const);
    // Elasticsearch takes the last of two members with one name, where it is told to; OpenSearch refuses both.
    const [understood, others] = [pairs.filter(isTaken), pairs.filter((pair) => !isTaken(pair))];
    expect(understood.map(([one]) => comparable(one))).toStrictEqual(
      understood.map(([, one]) => comparable(one)),
    );
    expect(others.length).toBeLessThanOrEqual(1);
    for (const [document] of others) expect(document.event.kind).toBe('pipeline_error');
  });
});

function isTaken([, { event }]: readonly [Document, Document]): boolean {
  const line = String(event.original);
  return line.split('"logSubtype":').length <= 2;
}

/** Without what depends on the moment and on how a fingerprint is computed. */
function comparable({ event: { id, ingested: _, ...event }, ...document }: Document): object {
  expect(id).toMatch(/./);
  return { ...document, event };
}

describe('push', () => {
  const dataStream = 'logs-orglog.events-check';
  const lines = [
    ...generateTraffic({
      ...{ seed: 7, orgUrl: 'https://login.institution.edu/', orgDomain: 'institution.edu' },
      ...{ fromMs: Date.UTC(2026, 0, 2), toMs: Date.UTC(2026, 0, 3), count: 1_000 },
    }),
  ].map((event) => JSON.stringify(event));

  it('brings a log into a data stream, once, and it can be searched', async () => {
    await using sink = createElasticBulkSink({
      ...{ url, dataStream, toDocument: ecsDocumentOfStream, requestTimeoutMs: 60_000 },
      ...{ credentials: new StatedCredentials('ApiKey c2VjcmV0'), clock: impatientClock() },
    });
    expect(await send(sink, lines)).toStrictEqual({ kind: 'accepted' });
    // What comes again is there already: a conflict is no failure.
    expect(await send(sink, lines)).toMatchObject({
      kind: 'per-event',
      events: lines.map(() => ({ kind: 'accepted' })),
    });
    await ask('POST', `${dataStream}/_refresh`);
    const found = await ask<{ hits: { total: { value: number }; hits: { _source: Document }[] } }>(
      'POST',
      `${dataStream}/_search`,
      { size: 2_000, query: { match_all: {} }, track_total_hits: true },
    );
    expect(found.hits.total.value).toBe(lines.length);
    expect(found.hits.hits.map(({ _source }) => _source.event.original).sort()).toStrictEqual(
      lines.toSorted(),
    );
    const streams = await ask<{ data_streams: { name: string; template: string }[] }>(
      'GET',
      `_data_stream/${dataStream}`,
    );
    expect(streams.data_streams).toMatchObject([{ name: dataStream, template: 'orglog-events' }]);
  });

  it('is understood field by field: what ECS says of sign-ins can be asked for', async () => {
    const failures = lines.filter((line) => JSON.parse(line).logSubtype === 'failure').length;
    const filter = [{ term: { 'event.outcome': 'failure' } }, { term: { 'event.dataset': 'orglog.events' } }];
    const { count } = await ask<{ count: number }>('POST', `${dataStream}/_count`, {
      query: { bool: { filter } },
    });
    expect(failures).toBeGreaterThan(0);
    expect(count).toBeGreaterThanOrEqual(failures);
  });
});
