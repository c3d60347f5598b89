import { createServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { createSplunkHecSink, type SplunkHecSinkOptions } from '../../functions/adapters/splunk-hec-sink.ts';
import { type HecOptions, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { listen } from '../aws/listen.ts';
import { never } from '../contracts/support.ts';
import { rejection } from './aws-suite.ts';
import { selfSigned } from './self-signed.ts';
import { ID_PREFIX, impatientClock, requests, StatedCredentials, send } from './sink-bed.ts';

const TOKEN = '6f1c2a8e-0000-4000-8000-000000000001';
const LINES = [
  '{"timeStampISO":"2026-01-02T03:04:05.678+00:00","n":12345678901234567890.5}',
  '{"logData":{"timeStampISO":"1999-01-01T00:00:00Z"},"timeStampISO":"2026-01-02T05:04:06+02:00"}',
  '{"timeStampISO":"yesterday"}',
];

async function bed(hecOptions: Partial<HecOptions> = {}, options: Partial<SplunkHecSinkOptions> = {}) {
  const stack = new AsyncDisposableStack();
  const hec = stack.use(await startSplunkHec({ tokens: [{ token: TOKEN }], ...hecOptions }));
  const credentials = new StatedCredentials(`Splunk ${TOKEN}`);
  const clock = impatientClock();
  const sink = stack.use(createSplunkHecSink({ url: hec.url, credentials, clock, ...options }));
  return { hec, sink, credentials, clock, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe('events in HEC', () => {
  it('are the very text of the line, with time, identifier and metadata', async () => {
    await using all = await bed(
      {},
      { host: 'orglög', source: 'orglog:institution', index: 'sso', requestTimeoutMs: 5_000 },
    );
    expect(await send(all.sink, LINES)).toStrictEqual({ kind: 'accepted' });
    const common = {
      host: 'orglög',
      source: 'orglog:institution',
      sourcetype: 'orglog:event',
      index: 'sso',
    };
    const times = ['1767323045.678', '1767323046.000', undefined];
    expect(all.hec.events).toStrictEqual(
      LINES.map((event, at) => ({
        ...(times[at] !== undefined && { time: times[at] }),
        ...common,
        event,
        fields: { event_id: `"${ID_PREFIX}${at + 1}"` },
      })),
    );
    expect(all.hec.requests).toMatchObject([
      { method: 'POST', path: '/services/collector/event', contentEncoding: 'gzip' },
    ]);
  });

  it('go in requests of at most a megabyte, and one that is larger goes alone', async () => {
    await using all = await bed({ maxBytes: 1_000_000 });
    const line = (length: number) => `{"text":"${'x'.repeat(length)}"}`;
    const lines = [line(400_000), line(400_000), line(400_000), line(1_200_000), line(10)];
    const made = await requests(all.sink, lines);
    expect(made.map(({ events }) => events.length)).toStrictEqual([2, 1, 1, 1]);
    const outcomes = [];
    for (const { request } of made) outcomes.push((await all.sink.send(request, never)).kind);
    expect(outcomes).toStrictEqual(['accepted', 'accepted', 'rejected', 'accepted']);
  });
});

describe('answers of HEC', () => {
  it.each([
    [408, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [404, 'retry'],
    [302, 'retry'],
    [418, 'retry'],
    [401, 'configuration'],
    [403, 'configuration'],
    [413, 'split'],
  ] as const)('status %i means %s', async (status, kind) => {
    await using all = await bed();
    all.hec.faults.add({ kind: 'status', status });
    const outcome = await send(all.sink, LINES);
    expect(outcome.kind).toBe(kind);
    expect(outcome).toHaveProperty('reason', expect.stringContaining(`HEC answered ${status}`));
  });

  it.each([
    [6, { kind: 'split', culprit: 1 }],
    [12, { kind: 'split', culprit: 1 }],
    [13, { kind: 'split', culprit: 1 }],
    [15, { kind: 'split', culprit: 1 }],
    [7, { kind: 'configuration' }],
    [10, { kind: 'configuration' }],
    [11, { kind: 'configuration' }],
    [5, { kind: 'retry' }],
    [16, { kind: 'retry' }],
  ] as const)('400 with code %i means %o', async (code, expected) => {
    await using all = await bed();
    const body = { text: 'some text', code, 'invalid-event-number': 1 };
    all.hec.faults.add({ kind: 'status', status: 400, body });
    expect(await send(all.sink, LINES)).toMatchObject(expected);
  });

  it('of one event alone name it as refused, and only the archive hears why', async () => {
    await using all = await bed();
    expect(await send(all.sink, ['{"a":NaN}'])).toStrictEqual({
      kind: 'rejected',
      reason: 'HEC answered 400 Bad Request, code 6',
      detail: 'Invalid data format',
    });
    const culprits = await send(all.sink, ['{"a":1}', '{"a":2}', '{"a":NaN}']);
    expect(culprits).toMatchObject({ kind: 'split', culprit: 2 });
    expect(await send(all.sink, [Buffer.from('7b2261223a22ff227d', 'hex')])).toMatchObject({
      kind: expect.stringMatching(/accepted|rejected/),
    });
  });

  it.each([
    ['a proxy’s page', '<html>Sign in</html>'],
    ['something that is not code 0', { text: 'healthy', code: 17 }],
    ['nothing', ''],
  ])('with status 200 are believed only when they are its own: %s', async (_, body) => {
    await using all = await bed();
    all.hec.faults.add({ kind: 'status', status: 200, body });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'retry' });
    expect(all.hec.events).toStrictEqual([]);
  });

  it.each([
    ['is reset', { kind: 'reset' }],
    ['is lost', { kind: 'reset', takesEffect: true }],
    ['is cut', { kind: 'cut-body' }],
    ['never comes', { kind: 'hang' }],
  ] as const)('that %s mean again', async (_, fault) => {
    await using all = await bed({}, { requestTimeoutMs: 300 });
    all.hec.faults.add(fault);
    expect(await send(all.sink, LINES)).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining(all.hec.url),
    });
    expect(await send(all.sink, LINES)).toStrictEqual({ kind: 'accepted' });
  });

  it('say when to come back', async () => {
    await using all = await bed();
    all.hec.faults.add({ kind: 'status', status: 503, retryAfter: 7 });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'retry', retryAfterMs: 7_000 });
  });

  it('that nobody gives mean again', async () => {
    await using all = await bed();
    await all.hec.close();
    expect(await send(all.sink, LINES)).toMatchObject({
      kind: 'retry',
      reason: expect.stringMatching(/connection was refused \(ECONNREFUSED\)/),
    });
  });

  it('are not waited for once the signal has fired', async () => {
    await using all = await bed();
    all.hec.faults.add({ kind: 'hang' });
    const error = await rejection(send(all.sink, LINES, AbortSignal.timeout(50)));
    expect(error.code).toBe('time-out');
  });
});

describe('the token', () => {
  it('is read once more when it is refused, and no request is made for one that has not changed', async () => {
    await using all = await bed({ tokens: [{ token: 'another' }] });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'configuration' });
    expect(all.credentials.reads).toStrictEqual([false, true]);
    expect(all.hec.requests).toHaveLength(1);
  });

  it('that was rotated meanwhile is used at once', async () => {
    await using all = await bed({ tokens: [{ token: 'rotated' }] });
    all.credentials.replace('Splunk rotated');
    expect(await send(all.sink, LINES)).toStrictEqual({ kind: 'accepted' });
    expect(await send(all.sink, LINES)).toStrictEqual({ kind: 'accepted' });
    expect(all.hec.requests).toHaveLength(3);
  });

  it('is in no outcome', async () => {
    await using all = await bed();
    all.hec.faults.add({ kind: 'status', status: 500, body: `no ${TOKEN}` });
    expect(JSON.stringify(await send(all.sink, LINES))).not.toContain(TOKEN);
  });
});

describe('acknowledgement', () => {
  const tokens = [{ token: TOKEN, acknowledges: true }];

  it('is waited for', async () => {
    await using all = await bed({ tokens, indexed: ({ polls }) => polls >= 3 }, { acknowledge: true });
    expect(await send(all.sink, LINES)).toStrictEqual({ kind: 'accepted' });
    expect(all.clock.slept.length).toBeGreaterThanOrEqual(3);
    expect(await send(all.sink, LINES)).toStrictEqual({ kind: 'accepted' });
    expect(all.hec.events).toHaveLength(2 * LINES.length);
  });

  it('that never comes means again', async () => {
    await using all = await bed({ tokens }, { acknowledge: true });
    all.hec.faults.add({ kind: 'lose' });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'retry' });
  });

  it('that the token does not give is a fault of the settings', async () => {
    await using all = await bed({}, { acknowledge: true });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'configuration' });
  });

  it('that the token wants is one too', async () => {
    await using all = await bed({ tokens });
    expect(await send(all.sink, LINES)).toMatchObject({ kind: 'configuration' });
  });
});

describe('over TLS', () => {
  const { key, cert } = selfSigned('localhost');
  const start = () =>
    listen(
      createServer({ key, cert }, (request, response) => {
        request.resume().on('end', () => response.end('{"text":"Success","code":0}'));
      }),
    );
  const sinkTo = (url: string, ca?: string) =>
    createSplunkHecSink({
      url: url.replace(/^https?:\/\/[^:]+/, 'https://localhost'),
      credentials: new StatedCredentials(`Splunk ${TOKEN}`),
      clock: impatientClock(),
      ...(ca !== undefined && { ca }),
    });

  it('a certificate that nobody vouches for is refused', async () => {
    await using server = await start();
    await using sink = sinkTo(server.url);
    expect(await send(sink, LINES)).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('the TLS certificate was not accepted'),
    });
  });

  it('a private authority can be named', async () => {
    await using server = await start();
    await using sink = sinkTo(server.url, cert);
    expect(await send(sink, LINES)).toStrictEqual({ kind: 'accepted' });
  });

  it('a host of another name is refused all the same', async () => {
    await using server = await start();
    await using sink = createSplunkHecSink({
      url: server.url.replace(/^http:/, 'https:'),
      credentials: new StatedCredentials(`Splunk ${TOKEN}`),
      clock: impatientClock(),
      ca: cert,
    });
    expect(await send(sink, LINES)).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('the TLS certificate was not accepted'),
    });
  });

  it('and not without, but on this machine', () => {
    expect(() =>
      createSplunkHecSink({
        url: 'http://splunk.institution.edu:8088',
        credentials: new StatedCredentials('Splunk x'),
        clock: impatientClock(),
      }),
    ).toThrow(/not encrypted/);
  });
});
