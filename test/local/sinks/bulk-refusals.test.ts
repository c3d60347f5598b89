import { describe, expect, it } from 'vitest';
import { startElasticsearch } from '../../../local/sinks/elasticsearch.ts';
import { API_KEY, type BulkPost, bulk, create, operation, STREAM } from './bulk-client.ts';

describe('_bulk refuses the whole request', () => {
  const illegal = 'illegal_argument_exception';
  const invalid = 'action_request_validation_exception';

  it.each<[string, string, string, RegExp]>([
    ['nothing', '\n', 'parse_exception', /body is required/],
    ['no final newline', create('b').slice(0, -1), illegal, /must be terminated by a newline/],
    ['an action that is no JSON', '{"create":\n{}\n', 'x_content_parse_exception', /\[1:1\]/],
    [
      'an action that is none',
      operation('upsert', {}, {}),
      illegal,
      /Malformed action\/metadata line \[1\].*upsert/,
    ],
    ['an action that is a list', '[]\n{}\n', illegal, /Malformed action/],
    [
      'an unknown parameter',
      operation('create', { _index: STREAM, _type: 'x' }, {}),
      illegal,
      /unknown parameter \[_type\]/,
    ],
    ['an empty id', operation('create', { _index: STREAM, _id: '' }, {}), illegal, /must not be empty/],
    [
      'an id over 512 bytes',
      operation('create', { _index: STREAM, _id: 'é'.repeat(257) }, {}),
      invalid,
      /was: 514/,
    ],
    ['no index', operation('create', {}, {}), invalid, /index is missing/],
    ['no document', `${JSON.stringify({ create: { _index: STREAM } })}\n`, invalid, /document is missing/],
  ])('%s', async (_, body, type, reason) => {
    await using elastic = await startElasticsearch();
    const answer = await bulk(elastic, body);
    expect(answer.status).toBe(400);
    const cause = { type, reason: expect.stringMatching(reason) };
    expect(answer.body).toMatchObject({ status: 400, error: { ...cause, root_cause: [cause] } });
  });

  it('and carries out nothing of it', async () => {
    await using elastic = await startElasticsearch();
    expect((await bulk(elastic, create('a') + operation('upsert', {}, {}))).status).toBe(400);
    expect((await bulk(elastic, create('a') + create('b').slice(0, -1))).status).toBe(400);
    expect(elastic.documents('*')).toStrictEqual([]);
  });

  it.each<[string, BulkPost, number]>([
    ['no credential', {}, 401],
    ['another key', { headers: { authorization: 'ApiKey bm9ib2R5' } }, 401],
    [
      'another password',
      { headers: { authorization: `Basic ${Buffer.from('a:c').toString('base64')}` } },
      401,
    ],
    ['the key as a password', { headers: { authorization: `Basic ${API_KEY}` } }, 401],
    [
      'another content type',
      { headers: { authorization: `ApiKey ${API_KEY}`, 'content-type': 'text/plain' } },
      406,
    ],
    [
      'an unknown query parameter',
      { headers: { authorization: `ApiKey ${API_KEY}` }, path: '/_bulk?x=1' },
      400,
    ],
    ['what is no gzip', { headers: { authorization: `ApiKey ${API_KEY}`, 'content-encoding': 'gzip' } }, 400],
    ['another path', { headers: { authorization: `ApiKey ${API_KEY}` }, path: '/x/y/_bulk' }, 400],
  ])('%s', async (_, options, status) => {
    await using elastic = await startElasticsearch({
      credentials: [{ apiKey: API_KEY }, { username: 'a', password: 'b' }],
    });
    const answer = await bulk(elastic, create('a'), options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate') !== null).toBe(status === 401);
    if (status === 401) expect(answer.body).toMatchObject({ error: { type: 'security_exception' }, status });
    const basic = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    expect((await bulk(elastic, create('b'), { headers: basic })).body).toMatchObject({ errors: false });
    expect(elastic.documents('*').map(({ id }) => id)).toStrictEqual(['b']);
  });

  it('a body over its limit, without a word, as Elasticsearch does', async () => {
    await using elastic = await startElasticsearch({ maxBytes: 200 });
    const answer = await bulk(elastic, create('a') + create('b'), { gzip: true });
    expect(answer).toMatchObject({ status: 413, body: undefined });
    expect((await bulk(elastic, create('a'))).status).toBe(200);
  });
});
