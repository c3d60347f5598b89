import { once } from 'node:events';
import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Fault, FaultScript } from '../../../local/provider/faults.ts';
import { startProvider } from '../../../local/provider/server.ts';
import { basic, call, NOON, numbered, ORG_URL, readPage, start, USER } from './support.ts';

const PAGE = { query: { orgUrl: ORG_URL } };

async function withEvents(count: number, ...faults: Fault[]) {
  const provider = await start();
  provider.appendRaw(ORG_URL, numbered(count));
  for (const fault of faults) provider.faults.add(fault);
  return provider;
}

describe('the script', () => {
  const target = { method: 'GET', path: '/logs/v1/orgLogs', query: { limit: '10' } };

  it('gives each request the next counted fault, then the standing one', () => {
    const script = new FaultScript()
      .add({ kind: 'reset' }, { times: Infinity })
      .add({ kind: 'pretty' }, { times: 2 })
      .add({ kind: 'html' });
    expect(script.pending).toBe(3);
    const kinds = Array.from({ length: 5 }, () => script.take(target)?.kind);
    expect(kinds).toEqual(['pretty', 'pretty', 'html', 'reset', 'reset']);
    expect(script.pending).toBe(0);
    script.clear();
    expect(script.take(target)).toBeUndefined();
  });

  it('leaves faults for the requests they are meant for', () => {
    const script = new FaultScript()
      .add({ kind: 'reset' }, { on: ({ query }) => Number(query.limit) > 500 })
      .add({ kind: 'html' }, { on: ({ path }) => path.endsWith('/orgUrls') });
    expect(script.take(target)).toBeUndefined();
    expect(script.take({ ...target, query: { limit: '501' } })).toEqual({ kind: 'reset' });
    expect(script.take({ ...target, path: '/logs/v1/orgUrls' })).toEqual({ kind: 'html' });
  });
});

describe('in the stead of the service', () => {
  it('answers any status, before credentials are looked at, once', async () => {
    await using provider = await withEvents(1, { kind: 'status', status: 503 });
    const reply = await call(provider, { ...PAGE, authorization: undefined });
    expect(reply).toMatchObject({ status: 503, text: '{"detail":"scripted status 503"}' });
    expect((await readPage(provider)).count).toBe(1);
    expect(provider.requests.map(({ status, fault }) => [status, fault])).toEqual([
      [503, 'status'],
      [200, undefined],
    ]);
  });

  it('answers a body and type of the test’s choosing', async () => {
    const fault: Fault = { kind: 'status', status: 502, body: 'Bad gateway', contentType: 'text/plain' };
    await using provider = await withEvents(1, fault);
    const reply = await call(provider, PAGE);
    expect(reply).toMatchObject({ status: 502, text: 'Bad gateway' });
    expect(reply.headers['content-type']).toBe('text/plain');
  });

  it('sends Retry-After as seconds or as a date', async () => {
    const date = new Date(Date.UTC(2026, 0, 15, 12, 5));
    await using provider = await withEvents(
      1,
      { kind: 'status', status: 429, retryAfter: 7 },
      { kind: 'status', status: 429, retryAfter: date },
    );
    expect((await call(provider, PAGE)).headers['retry-after']).toBe('7');
    expect((await call(provider, PAGE)).headers['retry-after']).toBe('Thu, 15 Jan 2026 12:05:00 GMT');
  });

  it('answers HTML with 200', async () => {
    await using provider = await withEvents(1, { kind: 'html' });
    const reply = await call(provider, PAGE);
    expect(reply).toMatchObject({ status: 200, text: expect.stringMatching(/^<!doctype html>/) });
    expect(reply.headers['content-type']).toContain('text/html');
  });

  it('redirects to another host', async () => {
    const location = 'https://elsewhere.example/logs';
    await using provider = await withEvents(1, { kind: 'redirect', location });
    expect(await call(provider, PAGE)).toMatchObject({ status: 302, headers: { location } });
  });

  it('resets the connection', async () => {
    await using provider = await withEvents(1, { kind: 'reset' });
    await expect(call(provider, PAGE)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(provider.requests[0]).toMatchObject({ fault: 'reset' });
    expect(provider.requests[0]?.status).toBeUndefined();
  });
});

describe('in what a page says', () => {
  it('repeats the token supplied although events are returned', async () => {
    await using provider = await withEvents(4);
    const first = await readPage(provider, { limit: 2 });
    const nextToken = String(first.nextToken);
    provider.faults.add({ kind: 'repeated-token' });
    const repeated = await readPage(provider, { limit: 2, nextToken });
    expect(repeated).toMatchObject({ nextToken, count: 2, logEvents: [{ number: 3 }, { number: 4 }] });
    expect(repeated.next).toContain(nextToken);
  });

  it('gives a null token, or none at all', async () => {
    await using provider = await withEvents(2, { kind: 'null-token' }, { kind: 'missing-token' });
    expect(await readPage(provider)).toMatchObject({ nextToken: null, count: 2 });
    const page = await readPage(provider);
    expect(page.count).toBe(2);
    expect('nextToken' in page).toBe(false);
    expect(page.next).toBe(page.ref);
  });

  it('prints prettily without touching a value', async () => {
    await using provider = await start();
    const odd =
      '{"n":12345678901234567890,"e":1e400,"a":[],"o":{},"s":"x: {\\"y\\\\\\",[ ]","a":[1,{"b":null}]}';
    provider.appendRaw(ORG_URL, [{ json: odd, timeMs: NOON }]);
    const plain = await call(provider, PAGE);
    provider.faults.add({ kind: 'pretty' });
    const { text } = await call(provider, PAGE);
    expect(text.split('\n').length).toBeGreaterThan(15);
    expect(text).toContain('\n      "n": 12345678901234567890,\n      "e": 1e400,\n      "a": [],\n');
    // The tokens of two reads differ; all else is the same but for white space outside strings.
    const tokenless = (json: string) => json.replaceAll(/[0-9a-f-]{36}/g, 'token');
    const squeezed = text.replaceAll(/\n\s*/g, '').replaceAll('": ', '":');
    expect(tokenless(squeezed)).toBe(tokenless(plain.text));
  });

  it('puts logEvents first', async () => {
    await using provider = await withEvents(2, { kind: 'shifted-order' });
    const page = await readPage(provider);
    expect(Object.keys(page)).toEqual(['logEvents', 'count', 'nextToken', 'next', 'ref']);
    expect(page).toMatchObject({ count: 2, logEvents: [{ number: 1 }, { number: 2 }] });
  });

  it('leaves other answers as they are', async () => {
    await using provider = await withEvents(1, { kind: 'pretty' });
    const reply = await call(provider, { ...PAGE, authorization: undefined });
    expect(reply).toMatchObject({ status: 401, text: '{"detail":"Invalid credentials"}' });
  });
});

describe('on the wire', () => {
  it('closes the connection half way through the body', async () => {
    await using provider = await withEvents(50, { kind: 'cut-body' });
    const request = get(`${provider.url}/logs/v1/orgLogs?orgUrl=${encodeURIComponent(ORG_URL)}`, {
      headers: { authorization: basic(USER) },
    });
    const [response] = await once(request, 'response');
    let received = 0;
    const reading = (async () => {
      for await (const chunk of response) received += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received).toBe(Math.floor(Number(response.headers['content-length']) / 2));
    expect(received).toBeGreaterThan(400);
  });

  it('ends cleanly with half of the JSON', async () => {
    await using provider = await withEvents(50, { kind: 'half-body' });
    const { status, text } = await call(provider, PAGE);
    expect(status).toBe(200);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(JSON.parse((await call(provider, PAGE)).text).count).toBe(50);
  });

  it('drips the body in pieces', async () => {
    await using provider = await withEvents(20, { kind: 'drip', pauseMs: 2, pieceBytes: 100 });
    const request = get(`${provider.url}/logs/v1/orgLogs?orgUrl=${encodeURIComponent(ORG_URL)}`, {
      headers: { authorization: basic(USER) },
    });
    const [response] = await once(request, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(3);
    expect(JSON.parse(Buffer.concat(chunks).toString()).count).toBe(20);
  });

  it('pads the body to any size', async () => {
    const bytes = 3 * 1024 * 1024 + 17;
    await using provider = await withEvents(3, { kind: 'oversized', bytes });
    const { text, headers } = await call(provider, PAGE);
    expect([Buffer.byteLength(text), headers['content-length']]).toEqual([bytes, String(bytes)]);
    expect(JSON.parse(text).count).toBe(3);
  });

  it('answers late, alone or together with another fault', async () => {
    await using provider = await withEvents(
      2,
      { kind: 'delay', delayMs: 60 },
      { kind: 'status', status: 500, delayMs: 60 },
    );
    for (const status of [200, 500]) {
      const startedAt = performance.now();
      expect((await call(provider, PAGE)).status).toBe(status);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
    }
  });

  it('closes at once although an answer is held back', async () => {
    const provider = await withEvents(1, { kind: 'delay', delayMs: 3_600_000 });
    const broken = expect(call(provider, PAGE)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    while (provider.requests.length === 0) await new Promise(setImmediate);
    await provider.close();
    await broken;
  });

  it('does not befall calls outside the service', async () => {
    await using provider = await withEvents(1, { kind: 'reset' });
    expect((await call(provider, { path: '/openapi.json' })).status).toBe(200);
    expect(provider.faults.pending).toBe(1);
  });
});

it('ends clients that are connected when it is closed, and can be closed twice', async () => {
  const provider = await startProvider({ file: ':memory:', organizations: [], credentials: [] });
  expect((await call(provider, { path: '/openapi.json' })).status).toBe(200);
  await provider.close();
  await provider.close();
  await expect(call(provider, { path: '/openapi.json' })).rejects.toThrow();
});
