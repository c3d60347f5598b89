import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  answering,
  CREDENTIAL,
  httpServer,
  netServer,
  readFirst,
  readFrom,
  sourceAt,
  TOKEN,
} from './raw-provider.ts';
import { selfSigned } from './self-signed.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** No detail of a failure may hold what was sent. */
function expectBroken(answer: Awaited<ReturnType<typeof readFrom>>, origin: string, words: RegExp) {
  expect(answer).toEqual({ kind: 'broken', detail: expect.stringMatching(words) });
  const text = JSON.stringify(answer);
  expect(text).toContain(origin);
  for (const secret of [TOKEN, CREDENTIAL.password, 'orgUrl=', 'Basic']) expect(text).not.toContain(secret);
}

describe('an exchange that breaks is told in words', () => {
  test('a connection reset before the headers', async () => {
    await using server = await netServer((socket) => void socket.resetAndDestroy());
    expectBroken(
      await readFrom(server),
      server.origin,
      /reset before the answer was complete \(ECONNRESET\)/,
    );
  });

  test('a connection closed before the headers', async () => {
    await using server = await netServer((socket) => void socket.end());
    expectBroken(
      await readFrom(server),
      server.origin,
      /closed before the answer was complete \(UND_ERR_SOCKET\)/,
    );
  });

  test('a connection reset within the body', async () => {
    await using server = await netServer((socket) => {
      socket.write(`${HEAD}content-length: 100\r\n\r\n{"logEvents":[`, () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    });
    expectBroken(await readFrom(server), server.origin, /(reset|closed) before the answer was complete/);
  });

  test.each([
    ['kept', ''],
    ['to be closed', 'connection: close\r\n'],
  ])('a body shorter than its Content-Length, the connection %s', async (_what, header) => {
    await using server = await netServer((socket) => {
      socket.end(`${HEAD}${header}content-length: 100\r\n\r\n{"logEvents":[`);
    });
    expectBroken(
      await readFrom(server),
      server.origin,
      /\((UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HTTPParserError)\)/,
    );
  });

  test.each([
    ['kept', ''],
    ['to be closed', 'connection: close\r\n'],
  ])('chunks without the last one, the connection %s', async (_what, header) => {
    await using server = await netServer((socket) => {
      socket.end(`${HEAD}${header}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`);
    });
    expectBroken(await readFrom(server), server.origin, /\((UND_ERR_SOCKET|HTTPParserError)\)/);
  });

  test('what is not HTTP', async () => {
    await using server = await netServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    expectBroken(await readFrom(server), server.origin, /not valid HTTP, or ended .* \(HTTPParserError\)/);
  });

  test('headers without end', async () => {
    await using server = await netServer(
      (socket) => void socket.write(`${HEAD}x: ${'y'.repeat(100_000)}\r\n\r\n`),
    );
    expectBroken(await readFrom(server), server.origin, /headers of the answer are too large/);
  });

  test('a refused connection', async () => {
    const server = await answering(200, '');
    await server[Symbol.asyncDispose]();
    expectBroken(await readFrom(server), server.origin, /connection was refused \(ECONNREFUSED\)/);
  });

  test('a host name that does not exist', async () => {
    // RFC 6761 §6.4: `.invalid` never resolves; without a resolver the answer is "again later".
    const origin = 'https://orglog.invalid';
    expectBroken(await readFrom({ origin }), origin, /host name (is unknown|could not be resolved)/);
  });

  test('a certificate that nobody vouches for', async () => {
    let requests = 0;
    const server = createHttpsServer(selfSigned('127.0.0.1'), () => {
      requests += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expectBroken(
      await readFrom({ origin }),
      origin,
      /TLS certificate was not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    );
    expect(requests).toBe(0);
    server.close();
  });

  test('TLS with a server that speaks none', async () => {
    await using server = await netServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const origin = server.origin.replace('http:', 'https:');
    expectBroken(await readFrom({ origin }), origin, /TLS handshake failed/);
  });

  test('and the next call is answered', async () => {
    let calls = 0;
    await using server = await netServer((socket) => {
      calls += 1;
      if (calls === 1) socket.resetAndDestroy();
      else socket.write(`${HEAD}content-length: 2\r\n\r\n{}`);
    });
    await using source = sourceAt(server);
    expect(await readFirst(source)).toMatchObject({ kind: 'broken' });
    expect(await readFirst(source)).toMatchObject({ kind: 'body', body: Buffer.from('{}') });
    expect(calls).toBe(2);
  });
});

describe('the time of a page', () => {
  test('covers the wait for the headers', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await httpServer(
      (request) => void request.socket.on('close', () => closed.resolve()),
    );
    expect(await readFrom(server, { pageTimeoutMs: 200 })).toEqual({
      kind: 'too-slow',
      detail: `${server.origin} took over 200 ms for a page`,
    });
    await closed.promise;
  });

  test('covers a body that drips without end', async () => {
    await using server = await httpServer((_request, response) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip)).on('error', () => {});
    });
    expect(await readFrom(server, { pageTimeoutMs: 200 })).toMatchObject({ kind: 'too-slow' });
  });

  test('is another for each call', async () => {
    let calls = 0;
    await using server = await httpServer((_request, response) => {
      calls += 1;
      if (calls > 1) response.end('{}');
    });
    await using source = sourceAt(server, { pageTimeoutMs: 200 });
    expect(await readFirst(source)).toMatchObject({ kind: 'too-slow' });
    expect(await readFirst(source)).toMatchObject({ kind: 'body' });
  });

  test('of a connection that does not come about is no fault of the page', async () => {
    // A TLS handshake that is never answered: connected, but not so that a request could be sent.
    await using server = await netServer(() => {});
    const origin = server.origin.replace('http:', 'https:');
    expectBroken(
      await readFrom({ origin }, { pageTimeoutMs: 50 }),
      origin,
      /no connection came about within 50 ms/,
    );
    expectBroken(
      await readFrom({ origin }, { connectTimeoutMs: 50 }),
      origin,
      /no connection came about in time \(UND_ERR_CONNECT_TIMEOUT\)/,
    );
  });
});

describe('the signal', () => {
  test('that has fired before sends nothing', async () => {
    await using server = await answering(200, '{}');
    await using source = sourceAt(server);
    await expect(readFirst(source, AbortSignal.abort())).rejects.toMatchObject({
      name: 'OrglogError',
      code: 'time-out',
    });
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ['before the headers', false],
    ['within the body', true],
  ])('ends a call %s and closes the connection', async (_when, startBody) => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    await using server = await httpServer((request, response) => {
      request.socket.on('close', () => closed.resolve());
      if (startBody) response.writeHead(200).write('{', () => controller.abort());
      else controller.abort();
    });
    await using source = sourceAt(server);
    const error: unknown = await readFirst(source, controller.signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'OrglogError', code: 'time-out' });
    expect(String(error)).toContain(server.origin);
    await closed.promise;
  });

  test('ends a call that is still connecting', async () => {
    const controller = new AbortController();
    await using server = await netServer(() => controller.abort());
    await using source = sourceAt({ origin: server.origin.replace('http:', 'https:') });
    await expect(readFirst(source, controller.signal)).rejects.toMatchObject({ code: 'time-out' });
  });
});

test('a content type that echoes what was sent does not reach the answer, nor does all of a long one', async () => {
  await using server = await httpServer((request, response) => {
    const echo = `${request.headers.authorization} ${request.url} ${'x'.repeat(5000)}`;
    response.setHeader('content-type', `text/html; was="${echo}"`).end('<html>');
  });
  const answer = await readFrom(server);
  if (answer.kind !== 'body') throw new Error(`expected a body, got ${answer.kind}`);
  expect(answer.contentType).toMatch(/^text\/html; was="Basic «redacted»/);
  expect(answer.contentType.length).toBeLessThanOrEqual(100);
  expect(answer.contentType).not.toContain(TOKEN);
});
