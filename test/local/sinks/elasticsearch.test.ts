import { describe, expect, it } from 'vitest';
import { startElasticsearch } from '../../../local/sinks/elasticsearch.ts';
import { API_KEY, bulk, create, operation, STREAM } from './bulk-client.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const BACKING = `.ds-${STREAM}-2026.01.02-000001`;
const start = (options: Parameters<typeof startElasticsearch>[0] = {}) =>
  startElasticsearch({ now: () => NOON, ...options });
const ids = (documents: readonly { id: string }[]) => documents.map(({ id }) => id);

describe('_bulk carries out', () => {
  it.each([false, true])('creates in a data stream, in order (gzip: %s)', async (gzip) => {
    await using elastic = await start();
    const { status, headers, body } = await bulk(elastic, create('a') + create('b'), { gzip });
    expect(status).toBe(200);
    expect(headers.get('x-elastic-product')).toBe('Elasticsearch');
    const created = { _index: BACKING, _version: 1, result: 'created', _primary_term: 1, status: 201 };
    expect(body).toMatchObject({
      errors: false,
      took: 0,
      items: [
        { create: { ...created, _id: 'a', _seq_no: 0 } },
        { create: { ...created, _id: 'b', _seq_no: 1 } },
      ],
    });
    expect(ids(elastic.documents(STREAM))).toStrictEqual(['a', 'b']);
  });

  it('with the target of the path, and gives an id where there is none', async () => {
    await using elastic = await start();
    await bulk(elastic, operation('create', {}, { '@timestamp': 1767312000000 }), {
      path: `/${STREAM}/_bulk`,
    });
    expect(elastic.documents(STREAM).map(({ id }) => id.length)).toStrictEqual([36]);
  });

  it('index and delete on a plain index', async () => {
    await using elastic = await start();
    const target = { _index: 'plain', _id: 'a' };
    const body = operation('index', target, { n: 1 }) + operation('index', target, { n: 2 });
    const { body: answer } = await bulk(
      elastic,
      body + operation('delete', target) + operation('delete', target),
    );
    expect(answer).toMatchObject({
      errors: false,
      items: [
        { index: { result: 'created', status: 201 } },
        { index: { result: 'updated', status: 200, _version: 2 } },
        { delete: { result: 'deleted', status: 200 } },
        { delete: { result: 'not_found', status: 404 } },
      ],
    });
  });

  it('numbers that no double can hold, unchanged, as a search shows', async () => {
    await using elastic = await start();
    const source = '{"@timestamp":"2026-01-02T03:04:05Z","id":12345678901234567890}';
    await bulk(elastic, operation('create', { _index: STREAM, _id: 'a' }, source));
    const search = await fetch(`${elastic.url}/${STREAM}/_search?size=1`);
    expect(await search.text()).toContain(`"_source":${source}`);
    const count = await fetch(`${elastic.url}/logs-*/_count`);
    expect(await count.json()).toMatchObject({ count: 1 });
  });
});

describe('_bulk fails an item alone', () => {
  it('where the id is there already: 409, until the data stream rolls over', async () => {
    await using elastic = await start();
    await bulk(elastic, create('a', { n: 1 }));
    const { body } = await bulk(elastic, create('a', { n: 2 }) + create('b'));
    const error = {
      type: 'version_conflict_engine_exception',
      reason: '[a]: version conflict, document already exists (current version [1])',
      index: BACKING,
    };
    expect(body).toMatchObject({
      errors: true,
      items: [{ create: { _id: 'a', status: 409, error } }, { create: { _id: 'b', status: 201 } }],
    });
    elastic.rollOver(STREAM);
    expect((await bulk(elastic, create('a', { n: 3 }))).body).toMatchObject({ errors: false });
    expect(elastic.documents(STREAM).map(({ source }) => JSON.parse(source).n)).toStrictEqual([
      1,
      undefined,
      3,
    ]);
    expect(() => elastic.rollOver('plain')).toThrow('no data stream');
  });

  it.each<[string, string, number, string, RegExp]>([
    [
      'an index op on a data stream',
      operation('index', { _index: STREAM }, {}),
      400,
      'illegal_argument_exception',
      /op_type of create/,
    ],
    [
      'a delete on a data stream',
      operation('delete', { _index: STREAM, _id: 'a' }),
      400,
      'illegal_argument_exception',
      /op_type of create/,
    ],
    [
      'a document that is no JSON',
      operation('create', { _index: STREAM }, '{"a":'),
      400,
      'document_parsing_exception',
      /failed to parse/,
    ],
    [
      'a document that is a list',
      operation('create', { _index: STREAM }, '[]'),
      400,
      'document_parsing_exception',
      /failed to parse/,
    ],
    [
      'no @timestamp',
      operation('create', { _index: STREAM }, { a: 1 }),
      400,
      'document_parsing_exception',
      /timestamp field \[@timestamp\] is missing/,
    ],
    [
      'a @timestamp that is none',
      create('x', { '@timestamp': 'noon' }),
      400,
      'document_parsing_exception',
      /type \[date\]/,
    ],
    [
      'an address that is none',
      create('x', { source: { ip: 'here' } }),
      400,
      'document_parsing_exception',
      /\[source.ip\] of type \[ip\]/,
    ],
    [
      'one by a dotted name',
      create('x', { 'source.ip': ['10.0.0.1', '1.2.3'] }),
      400,
      'document_parsing_exception',
      /\[source.ip\]/,
    ],
    [
      'a text where an object belongs',
      create('x', { orglog: { log_data: 'x' } }),
      400,
      'document_parsing_exception',
      /\[flattened\]/,
    ],
    [
      'an index that may not be created',
      operation('create', { _index: 'plain' }, {}),
      404,
      'index_not_found_exception',
      /no such index \[plain\]/,
    ],
    [
      'an index that the caller may not write',
      operation('create', { _index: 'logs-other-x' }, {}),
      403,
      'security_exception',
      /unauthorized/,
    ],
  ])('%s', async (_, wrong, status, type, reason) => {
    await using elastic = await start({
      autoCreate: false,
      mapping: { 'source.ip': 'ip', 'orglog.log_data': 'flattened' },
      credentials: [{ apiKey: API_KEY, mayWrite: ['logs-orglog.*', 'plain'] }],
    });
    const headers = { authorization: `ApiKey ${API_KEY}` };
    const { status: whole, body } = await bulk(elastic, create('a') + wrong + create('b'), { headers });
    expect(whole).toBe(200);
    const error = { type, reason: expect.stringMatching(reason) };
    expect(body).toMatchObject({ errors: true, items: [{}, expect.anything(), {}] });
    expect(Object.values((body as { items: object[] }).items[1] ?? {})).toMatchObject([{ status, error }]);
    expect(ids(elastic.documents(STREAM))).toStrictEqual(['a', 'b']);
  });

  it('where no data stream is there and one is required', async () => {
    await using elastic = await start();
    const body = operation('create', { _index: 'plain' }, {});
    const answer = await bulk(elastic, body, { path: '/_bulk?require_data_stream=true' });
    expect(answer.body).toMatchObject({ items: [{ create: { status: 404 } }] });
  });
});

describe('a fault of _bulk’s own', () => {
  const full = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } };

  it.each([false, true])('items fail, whether or not they took effect (%s)', async (takesEffect) => {
    await using elastic = await start();
    elastic.faults.add({
      kind: 'items',
      takesEffect,
      failing: (_, position) => (position === 1 ? full : undefined),
    });
    const body = create('a') + create('b') + create('c');
    expect((await bulk(elastic, body)).body).toMatchObject({
      errors: true,
      items: [{ create: { status: 201 } }, { create: { _id: 'b', ...full } }, { create: { status: 201 } }],
    });
    expect(ids(elastic.documents(STREAM))).toStrictEqual(takesEffect ? ['a', 'b', 'c'] : ['a', 'c']);
    const again = takesEffect ? 409 : 201;
    expect((await bulk(elastic, create('b'))).body).toMatchObject({ items: [{ create: { status: again } }] });
  });

  it('a whole request is rejected with Elasticsearch’s own words', async () => {
    await using elastic = await start();
    elastic.faults.add({ kind: 'status', status: 429, retryAfter: 1 });
    const { status, headers, body } = await bulk(elastic, create('a'));
    expect({ status, retryAfter: headers.get('retry-after') }).toStrictEqual({
      status: 429,
      retryAfter: '1',
    });
    expect(body).toMatchObject({ error: { type: 'es_rejected_execution_exception' }, status: 429 });
    expect(headers.get('x-elastic-product')).toBe('Elasticsearch');
  });
});
