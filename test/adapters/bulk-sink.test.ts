import { describe, expect, it } from 'vitest';
import { createElasticBulkSink } from '../../functions/adapters/elastic-bulk-sink.ts';
import { ecsDocumentOfStream } from '../../functions/core/ecs/of-stream.ts';
import { type ElasticsearchOptions, startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { never } from '../contracts/support.ts';
import { ID_PREFIX, impatientClock, requests, StatedCredentials, send } from './sink-bed.ts';

const STREAM = 'logs-orglog.events-default';
const LINES = Array.from(
  { length: 5 },
  (_, at) =>
    `{"logType":"authentication","logSubtype":"success","timeStampISO":"2026-01-02T03:04:0${at}Z","n":${at}}`,
);

async function bed(elasticOptions: ElasticsearchOptions = {}, dataStream = STREAM) {
  const stack = new AsyncDisposableStack();
  const elastic = stack.use(await startElasticsearch(elasticOptions));
  const credentials = new StatedCredentials('ApiKey c2VjcmV0');
  const clock = impatientClock();
  const connection = { url: elastic.url, credentials, requestTimeoutMs: 500 };
  const sink = stack.use(
    createElasticBulkSink({ ...connection, dataStream, toDocument: ecsDocumentOfStream, clock }),
  );
  return { elastic, sink, credentials, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const kinds = (outcome: Awaited<ReturnType<typeof send>>) =>
  outcome.kind === 'per-event' ? outcome.events.map(({ kind }) => kind) : outcome.kind;

describe('events in Elasticsearch', () => {
  it('are ECS documents under their own identifiers, and there once', async () => {
    await using all = await bed();
    expect(kinds(await send(all.sink, LINES))).toBe('accepted');
    expect(kinds(await send(all.sink, LINES))).toStrictEqual(LINES.map(() => 'accepted'));
    const documents = all.elastic.documents(STREAM);
    expect(documents.map(({ id }) => id).sort()).toStrictEqual(LINES.map((_, at) => `${ID_PREFIX}${at + 1}`));
    expect(JSON.parse(documents[0]?.source ?? '')).toMatchObject({
      '@timestamp': '2026-01-02T03:04:00.000Z',
      event: { id: `${ID_PREFIX}1`, original: LINES[0] },
    });
    expect(all.elastic.requests).toMatchObject([
      { method: 'POST', path: `/${STREAM}/_bulk`, contentEncoding: 'gzip', status: 200 },
      { status: 200 },
    ]);
  });

  it('of the identity feed go to a data stream of their own, by a caller who may write to these two alone', async () => {
    const identities = 'logs-orglog.identities-default';
    await using all = await bed({
      credentials: [{ apiKey: 'c2VjcmV0', mayWrite: [STREAM, identities] }],
    });
    const line = '{"action":"identity.created","timeStampISO":"2026-01-02T03:04:05Z","serviceUid":"a1"}';
    const [request] = await requests(all.sink, [line], 'identities');
    if (request === undefined) throw new Error('no request was made');
    expect([kinds(await all.sink.send(request.request, never))].flat()).toStrictEqual(['accepted']);
    expect(all.elastic.documents(STREAM)).toStrictEqual([]);
    const [document] = all.elastic.documents(identities);
    expect(JSON.parse(document?.source ?? '')).toMatchObject({
      event: { dataset: 'orglog.identities', type: ['user', 'creation'], original: line },
      user: { id: 'a1' },
    });
    // A cluster may refuse a request whose body names an index (rest.action.multi.allow_explicit_index).
    expect(all.elastic.requests).toMatchObject([{ path: `/${identities}/_bulk` }]);
    expect(request.bytes.toString()).not.toContain('_index');
  });

  it('go in requests of at most 2 MB', async () => {
    await using all = await bed();
    const lines = Array.from({ length: 40 }, () => `{"text":"${'x'.repeat(300_000)}"}`);
    const made = await requests(all.sink, lines);
    expect(made.length).toBeGreaterThan(2);
    for (const { bytes, request } of made) {
      expect(bytes.length).toBeLessThanOrEqual(2_000_000);
      expect(kinds(await all.sink.send(request, never))).toBe('accepted');
    }
  });

  it('that are no JSON are documents all the same', async () => {
    await using all = await bed();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const odd = ['{"a":NaN}', '[1,2]', '"text"', `{"logData":${deep}}`, Buffer.from([0x7b, 0xff, 0x7d])];
    expect(kinds(await send(all.sink, odd))).toBe('accepted');
  });
});

describe('answers of Elasticsearch', () => {
  it('per item are kept apart', async () => {
    await using all = await bed();
    const statuses = [201, 429, 400, 503, 413];
    all.elastic.faults.add({
      kind: 'items',
      failing: (_, position) => {
        const status = statuses[position] ?? 201;
        const error = { type: 'some_exception', reason: `because of ${LINES[position]}` };
        return status === 201 ? undefined : { status, error };
      },
    });
    const outcome = await send(all.sink, LINES);
    expect(outcome).toMatchObject({
      kind: 'per-event',
      events: [
        { kind: 'accepted' },
        {
          kind: 'retry',
          reason: 'Elasticsearch answered 429 Too Many Requests to an event (some_exception)',
        },
        { kind: 'rejected', reason: 'Elasticsearch answered 400 Bad Request to an event (some_exception)' },
        { kind: 'retry' },
        { kind: 'rejected' },
      ],
    });
  });

  it.each([
    [302, 'retry'],
    [400, 'rejected'],
    [401, 'configuration'],
    [403, 'configuration'],
    [404, 'configuration'],
    [418, 'retry'],
  ] as const)('an item’s status %i means %s', async (status, kind) => {
    await using all = await bed();
    all.elastic.faults.add({
      kind: 'items',
      failing: () => ({ status, error: { type: 't', reason: 'r' } }),
    });
    expect(kinds(await send(all.sink, LINES))).toStrictEqual(LINES.map(() => kind));
  });

  it.each([
    [400, 'retry'],
    [408, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [401, 'configuration'],
    [403, 'configuration'],
    [404, 'configuration'],
    [413, 'split'],
  ] as const)('status %i means %s', async (status, kind) => {
    await using all = await bed();
    all.elastic.faults.add({ kind: 'status', status });
    expect(await send(all.sink, LINES)).toMatchObject({
      kind,
      reason: expect.stringContaining(`Elasticsearch answered ${status}`),
    });
  });

  it.each([
    ['no JSON', 'It works!'],
    ['too few items', { errors: false, items: [{ create: { status: 201 } }] }],
    ['no items', { errors: false }],
    ['items of another action', { errors: false, items: LINES.map(() => ({ index: { status: 201 } })) }],
  ])('with status 200 are believed only when they speak of every event: %s', async (_, body) => {
    await using all = await bed();
    all.elastic.faults.add({ kind: 'status', status: 200, body });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'retry' });
  });

  it('to one event that is too large mean that one', async () => {
    await using all = await bed({ maxBytes: 1_000 });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'split' });
    expect(await send(all.sink, [`{"a":"${'x'.repeat(1_000)}"}`])).toMatchObject({ kind: 'rejected' });
  });

  it.each([
    ['are reset', { kind: 'reset' }],
    ['are lost', { kind: 'reset', takesEffect: true }],
    ['are cut', { kind: 'cut-body' }],
    ['never come', { kind: 'hang', takesEffect: true }],
  ] as const)('that %s mean again, and nothing is there twice', async (_, fault) => {
    await using all = await bed();
    all.elastic.faults.add(fault);
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'retry' });
    const again = [kinds(await send(all.sink, LINES))].flat();
    expect(new Set(again)).toStrictEqual(new Set(['accepted']));
    expect(all.elastic.documents(STREAM)).toHaveLength(LINES.length);
  });
});

describe('what Elasticsearch itself refuses', () => {
  it('a data stream that is not there is a fault of the settings', async () => {
    await using all = await bed({ autoCreate: false }, 'events-of-nobody');
    expect(kinds(await send(all.sink, LINES))).toStrictEqual(LINES.map(() => 'configuration'));
  });
});
