import { Client, type errors } from '@elastic/elasticsearch';
import { type HecReplyBody, Logger } from 'splunk-logging';
import { describe, expect, it } from 'vitest';
import { startElasticsearch } from '../../../local/sinks/elasticsearch.ts';
import { startSplunkHec } from '../../../local/sinks/splunk-hec.ts';
import { API_KEY, STREAM } from './bulk-client.ts';
import { TOKEN } from './hec-client.ts';

/** The vendors' own clients against the stand-ins: these are not just our reading of ourselves. */
describe('@elastic/elasticsearch', () => {
  const full = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } };
  const documents = Array.from({ length: 1000 }, (_, n) => ({ '@timestamp': '2026-01-02T03:04:05.678Z', n }));

  function send(client: Client, dropped: number[] = []) {
    return client.helpers.bulk({
      datasource: documents,
      flushBytes: 20_000,
      wait: 1,
      retries: 3,
      onDocument: (document) => [{ create: { _index: STREAM, _id: `a:${document.n}` } }, document],
      onDrop: ({ status }) => dropped.push(status),
    });
  }

  it('takes the stand-in for Elasticsearch, and writes everything once', async () => {
    await using elastic = await startElasticsearch({ credentials: [{ apiKey: API_KEY }] });
    const client = new Client({ node: elastic.url, auth: { apiKey: API_KEY }, compression: true });
    expect((await client.info()).tagline).toBe('You Know, for Search');
    elastic.faults.add({ kind: 'items', failing: (_, position) => (position % 7 === 0 ? full : undefined) });
    expect(await send(client)).toMatchObject({ total: 1000, successful: 1000, failed: 0 });
    expect(elastic.requests.filter(({ path }) => path === '/_bulk').length).toBeGreaterThan(3);
    expect(elastic.requests.at(-1)?.contentEncoding).toBe('gzip');
    expect((await client.count({ index: STREAM })).count).toBe(1000);
    const found = await client.search<{ n: number }>({ index: STREAM, size: 1000 });
    expect(new Set(found.hits.hits.map(({ _source }) => _source?.n)).size).toBe(1000);
    await client.close();
  });

  it('is told of what is there already, item by item', async () => {
    await using elastic = await startElasticsearch();
    const client = new Client({ node: elastic.url });
    await send(client);
    const dropped: number[] = [];
    expect(await send(client, dropped)).toMatchObject({ successful: 0, failed: 1000 });
    expect(new Set(dropped)).toStrictEqual(new Set([409]));
    expect(elastic.documents(STREAM)).toHaveLength(1000);
    await client.close();
  });

  it('understands every refusal', async () => {
    await using guarded = await startElasticsearch({ credentials: [{ username: 'a', password: 'b' }] });
    await using narrow = await startElasticsearch({ maxBytes: 200 });
    const refusal = async (client: Client) => {
      const error = await send(client).then(
        () => undefined,
        (each: errors.ResponseError) => ({ status: each.statusCode, message: each.message }),
      );
      await client.close();
      return error;
    };
    expect(await refusal(new Client({ node: guarded.url }))).toMatchObject({
      status: 401,
      message: expect.stringContaining('missing authentication credentials'),
    });
    expect(await refusal(new Client({ node: narrow.url }))).toMatchObject({ status: 413 });
    const auth = { username: 'a', password: 'b' };
    expect(await refusal(new Client({ node: guarded.url, auth }))).toBeUndefined();
    expect([guarded, narrow].map((elastic) => elastic.documents('*').length)).toStrictEqual([1000, 0]);
  });
});

describe('splunk-logging', () => {
  async function send(
    logger: Logger,
  ): Promise<{ body: HecReplyBody | undefined; refused: (number | undefined)[] }> {
    const refused: (number | undefined)[] = [];
    logger.error = ({ code }) => refused.push(code);
    const metadata = {
      time: 1767312000.678,
      host: 'h',
      source: 's',
      sourcetype: 'orglog:event',
      index: 'iam',
    };
    logger.send({ message: { logType: 'login' }, metadata });
    logger.send({ message: 'second', metadata });
    return new Promise((resolve) => logger.flush((_error, _response, body) => resolve({ body, refused })));
  }

  it('writes a batch', async () => {
    await using hec = await startSplunkHec({ tokens: [{ token: TOKEN, indexes: ['iam'] }] });
    const { body, refused } = await send(new Logger({ token: TOKEN, url: hec.url, maxBatchCount: 0 }));
    expect({ body, refused }).toStrictEqual({ body: { text: 'Success', code: 0 }, refused: [] });
    const metadata = {
      time: '1767312000.678',
      host: 'h',
      source: 's',
      sourcetype: 'orglog:event',
      index: 'iam',
    };
    expect(hec.events).toStrictEqual([
      { ...metadata, event: '{"message":{"logType":"login"},"severity":"info"}', fields: {} },
      { ...metadata, event: '{"message":"second","severity":"info"}', fields: {} },
    ]);
  });

  it('understands a refusal', async () => {
    await using hec = await startSplunkHec({ tokens: [{ token: TOKEN, indexes: ['main'] }] });
    const { body, refused } = await send(new Logger({ token: TOKEN, url: hec.url, maxBatchCount: 0 }));
    expect(refused).toStrictEqual([7]);
    expect(body).toMatchObject({ code: 7, 'invalid-event-number': 0 });
  });
});
