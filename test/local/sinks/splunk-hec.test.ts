import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type HecOptions, startSplunkHec } from '../../../local/sinks/splunk-hec.ts';
import { type HecPost, post, TOKEN } from './hec-client.ts';

const start = (options: Partial<HecOptions> = {}) =>
  startSplunkHec({ tokens: [{ token: TOKEN }], ...options });
const success = { status: 200, body: { text: 'Success', code: 0 } };

describe('HEC takes', () => {
  it('objects with nothing, or white space, between them, gzip or not', async () => {
    await using hec = await start();
    expect(await post(hec, '{"event":"a"}{"event":"b"}\r\n\t {"event":{"c":[1,{"d":"}"}]}}\n')).toStrictEqual(
      success,
    );
    expect(await post(hec, '{"event":"e"}', { gzip: true })).toStrictEqual(success);
    expect(hec.events.map(({ event }) => event)).toStrictEqual(['"a"', '"b"', '{"c":[1,{"d":"}"}]}', '"e"']);
    expect(hec.requests.map(({ contentEncoding }) => contentEncoding)).toStrictEqual([undefined, 'gzip']);
  });

  it('numbers that no double can hold, unchanged', async () => {
    await using hec = await start();
    await post(hec, '{"time":1767312000.123456789,"event":{"id":12345678901234567890,"e":1.50}}');
    expect(hec.events).toStrictEqual([
      {
        time: '1767312000.123456789',
        event: '{"id":12345678901234567890,"e":1.50}',
        index: 'main',
        fields: {},
      },
    ]);
  });

  it('every member, and the token decides the index where none is named', async () => {
    await using hec = await start({ tokens: [{ token: TOKEN, indexes: ['iam', 'x'], defaultIndex: 'iam' }] });
    const members = '"time":"1767312000","host":"h","source":"s","sourcetype":"t"';
    const fields = '"fields":{"event_id":"a:1","list":["x",2],"n":3}';
    await post(hec, `{${members},"event":"one",${fields}}{"event":"two","index":"x"}`);
    expect(hec.events).toStrictEqual([
      {
        time: '1767312000',
        host: 'h',
        source: 's',
        sourcetype: 't',
        index: 'iam',
        event: '"one"',
        fields: { event_id: '"a:1"', list: '["x",2]', n: '3' },
      },
      { index: 'x', event: '"two"', fields: {} },
    ]);
  });

  it.each(['/services/collector', '/services/collector/event', '/services/collector/event/1.0'])(
    'events at %s',
    async (path) => {
      await using hec = await start();
      expect(await post(hec, '{"event":"a"}', { path })).toStrictEqual(success);
      expect(hec.events).toHaveLength(1);
    },
  );
});

describe('HEC refuses', () => {
  const TOKENS = [
    { token: TOKEN, indexes: ['main'] },
    { token: 'off', disabled: true },
  ];
  const authorization = (value: string): HecPost => ({ headers: { authorization: value } });

  it.each<[string, string, HecPost, number, object]>([
    [
      'an empty credential',
      '{"event":"a"}',
      authorization(''),
      401,
      { text: 'Invalid authorization', code: 3 },
    ],
    [
      'another scheme',
      '{"event":"a"}',
      authorization(`Bearer ${TOKEN}`),
      401,
      { text: 'Invalid authorization', code: 3 },
    ],
    [
      'an unknown token',
      '{"event":"a"}',
      authorization('Splunk nobody'),
      403,
      { text: 'Invalid token', code: 4 },
    ],
    [
      'a disabled token',
      '{"event":"a"}',
      authorization('Splunk off'),
      403,
      { text: 'Token disabled', code: 1 },
    ],
    ['no data', ' \n', {}, 400, { text: 'No data', code: 5 }],
    [
      'a list',
      '[{"event":"a"}]',
      {},
      400,
      { text: 'Invalid data format', code: 6, 'invalid-event-number': 0 },
    ],
    [
      'cut JSON',
      '{"event":"a"}{"event":"b"',
      {},
      400,
      { text: 'Invalid data format', code: 6, 'invalid-event-number': 1 },
    ],
    [
      'a comma too many',
      '{"event":"a",}',
      {},
      400,
      { text: 'Invalid data format', code: 6, 'invalid-event-number': 0 },
    ],
    [
      'a time that is none',
      '{"event":"a","time":"now"}',
      {},
      400,
      { text: 'Invalid data format', code: 6, 'invalid-event-number': 0 },
    ],
    [
      'a host that is no text',
      '{"event":"a","host":1}',
      {},
      400,
      { text: 'Invalid data format', code: 6, 'invalid-event-number': 0 },
    ],
    [
      'another index',
      '{"event":"a"}{"event":"b","index":"x"}',
      {},
      400,
      { text: 'Incorrect index', code: 7, 'invalid-event-number': 1 },
    ],
    [
      'no event',
      '{"event":"a"}{"fields":{}}',
      {},
      400,
      { text: 'Event field is required', code: 12, 'invalid-event-number': 1 },
    ],
    [
      'a blank event',
      '{"event":""}',
      {},
      400,
      { text: 'Event field cannot be blank', code: 13, 'invalid-event-number': 0 },
    ],
    [
      'nested fields',
      '{"event":"a","fields":{"x":{"y":1}}}',
      {},
      400,
      { text: 'Error in handling indexed fields', code: 15, 'invalid-event-number': 0 },
    ],
    [
      'fields that are a list',
      '{"event":"a","fields":["x"]}',
      {},
      400,
      { text: 'Error in handling indexed fields', code: 15, 'invalid-event-number': 0 },
    ],
    [
      'a channel that is no GUID',
      '{"event":"a"}',
      { headers: { 'x-splunk-request-channel': 'one' } },
      400,
      { text: 'Invalid data channel', code: 11 },
    ],
    [
      'what is no gzip',
      '{"event":"a"}',
      { headers: { 'content-encoding': 'gzip' } },
      400,
      { text: 'Invalid data format', code: 6 },
    ],
    [
      'another encoding',
      '{"event":"a"}',
      { headers: { 'content-encoding': 'br' } },
      415,
      { text: 'Unsupported Media Type', code: 415 },
    ],
    [
      'another path',
      '{"event":"a"}',
      { path: '/services/x' },
      404,
      { text: 'The requested URL was not found on this server.', code: 404 },
    ],
    ['another method', '{"event":"a"}', { method: 'PUT' }, 405, { text: 'Method Not Allowed', code: 405 }],
  ])('%s', async (_, body, options, status, expected) => {
    await using hec = await start({ tokens: TOKENS });
    expect(await post(hec, body, options)).toStrictEqual({ status, body: expected });
    const number = 'invalid-event-number' in expected ? expected['invalid-event-number'] : 0;
    expect(hec.events).toHaveLength(Number(number));
  });

  it('a request without any Authorization, and a token in the query', async () => {
    await using hec = await start();
    const bare = async (path: string) => {
      const response = await fetch(hec.url + path, { method: 'POST', body: '{"event":"a"}' });
      return { status: response.status, body: await response.json() };
    };
    const path = '/services/collector/event';
    expect(await bare(path)).toStrictEqual({ status: 401, body: { text: 'Token is required', code: 2 } });
    const refused = { text: 'Query string authorization is not enabled', code: 16 };
    expect(await bare(`${path}?token=${TOKEN}`)).toStrictEqual({ status: 400, body: refused });
    expect(hec.events).toStrictEqual([]);
  });

  it.each([false, true])('a body over its limit (gzip: %s), whole', async (gzip) => {
    await using hec = await start({ maxBytes: 1000 });
    const large = `{"event":"${'a'.repeat(1000)}"}`;
    const refused = { status: 413, body: { text: 'Request entity too large', code: 27 } };
    expect(await post(hec, `{"event":"b"}${large}`, { gzip })).toStrictEqual(refused);
    expect(await post(hec, `{"event":"${randomBytes(900).toString('base64')}"}`, { gzip })).toStrictEqual(
      refused,
    );
    expect(hec.events).toStrictEqual([]);
  });
});

describe('HEC, when one of several events is refused,', () => {
  const batch = '{"event":"a"}{"event":""}{"event":"c"}';

  it('indexes those before it and reads no further', async () => {
    await using hec = await start();
    expect(await post(hec, batch)).toMatchObject({
      status: 400,
      body: { code: 13, 'invalid-event-number': 1 },
    });
    expect(hec.events.map(({ event }) => event)).toStrictEqual(['"a"']);
  });

  it('indexes none where it is told so', async () => {
    await using hec = await start({ invalidBatch: 'drop-all' });
    expect(await post(hec, batch)).toMatchObject({
      status: 400,
      body: { code: 13, 'invalid-event-number': 1 },
    });
    expect(hec.events).toStrictEqual([]);
  });
});

it('HEC says how it is', async () => {
  await using hec = await start();
  const health = () => post(hec, undefined, { method: 'GET', path: '/services/collector/health' });
  expect(await health()).toStrictEqual({ status: 200, body: { text: 'HEC is healthy', code: 17 } });
  hec.setHealthy(false);
  expect(await health()).toMatchObject({ status: 503, body: { code: 18 } });
});
