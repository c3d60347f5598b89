import { describe, expect, test } from 'vitest';
import { createHttpLogSource } from '../../functions/adapters/http-log-source.ts';
import { OrglogError } from '../../functions/core/errors.ts';
import type { Credential } from '../../functions/core/ports.ts';
import {
  answering,
  CREDENTIAL,
  httpServer,
  ORG_URL,
  readFirst,
  readFrom,
  sourceAt,
  TOKEN,
} from './raw-provider.ts';

const PAGE = '{"ref":"r","next":"n","nextToken":null,"count":0,"logEvents":[]}';
const unfired = new AbortController().signal;

describe('a request for a page', () => {
  test('carries the documented query, encoded, and nothing else', async () => {
    await using server = await answering(200, PAGE);
    await using source = sourceAt(server, {
      orgUrl: 'https://idp.institution.edu/a b?x=1&y=ä',
      filters: { service: 'bridge', tenant: 'Physics & Chemistry + more', logSubtype: 'login' },
    });
    await source.readPage({ token: TOKEN, limit: 250, freshCredential: false }, unfired);
    expect(server.requests.map((request) => `${request.method} ${request.url}`)).toEqual([
      'GET /logs/v1/orgLogs?orgUrl=https%3A%2F%2Fidp.institution.edu%2Fa+b%3Fx%3D1%26y%3D%C3%A4' +
        `&nextToken=${TOKEN}&limit=250&service=bridge&tenant=Physics+%26+Chemistry+%2B+more&logSubtype=login`,
    ]);
  });

  test('leaves out the token where there is none', async () => {
    await using server = await answering(200, PAGE);
    await using source = sourceAt(server);
    await readFirst(source);
    expect(server.requests[0]?.url).toBe(
      '/logs/v1/orgLogs?orgUrl=https%3A%2F%2Fidp.institution.edu%2F&limit=1000',
    );
  });

  test.each([
    ['', '/logs/v1/orgLogs'],
    ['/', '/logs/v1/orgLogs'],
    ['/gateway', '/gateway/logs/v1/orgLogs'],
    ['/gateway/idp//', '/gateway/idp/logs/v1/orgLogs'],
  ])('goes below the base URL path %j', async (path, expected) => {
    await using server = await answering(200, PAGE);
    await using source = createHttpLogSource({
      baseUrl: `${server.origin}${path}`,
      orgUrl: ORG_URL,
      credentials: { get: async () => CREDENTIAL },
    });
    await readFirst(source);
    expect(server.requests[0]?.url?.split('?')[0]).toBe(expected);
  });

  test('authenticates with the UTF-8 bytes of user name and password', async () => {
    await using server = await answering(200, PAGE);
    await using source = sourceAt(server, { userAgent: 'orglog/9.9' });
    await readFirst(source);
    const headers = server.requests[0]?.headers;
    const encoded = /^Basic (.*)$/.exec(headers?.authorization ?? '')?.[1] ?? '';
    expect(Buffer.from(encoded, 'base64')).toEqual(
      Buffer.from([
        ...Buffer.from('collector:p'),
        ...[0xc3, 0xa4],
        ...Buffer.from('ssw'),
        ...[0xc3, 0xb6],
        ...Buffer.from('rd:'),
        ...[0xe2, 0x9c, 0x93],
      ]),
    );
    expect(headers).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'orglog/9.9',
    });
  });

  test('asks the credential source each time, past its caches when told to', async () => {
    await using server = await answering(200, PAGE);
    const asked: boolean[] = [];
    await using source = sourceAt(server, {
      credentials: {
        get: async ({ fresh }) => {
          asked.push(fresh);
          return { username: 'collector', password: fresh ? 'new' : 'old' };
        },
      },
    });
    await source.readPage({ limit: 1, freshCredential: false }, unfired);
    await source.readPage({ limit: 1, freshCredential: true }, unfired);
    expect(asked).toEqual([false, true]);
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      `Basic ${btoa('collector:old')}`,
      `Basic ${btoa('collector:new')}`,
    ]);
  });

  test.each<[string, Credential, RegExp]>([
    ['a colon in the user name', { username: 'coll:ector', password: 'hunter2' }, /user name .* colon/],
    ['a line break in the password', { username: 'collector', password: 'hunter2\n' }, /password .* control/],
  ])('is not sent with %s', async (_what, credential, message) => {
    await using server = await answering(200, PAGE);
    await using source = sourceAt(server, { credentials: { get: async () => credential } });
    const error = await readFirst(source).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OrglogError);
    expect(error).toMatchObject({ code: 'configuration', message: expect.stringMatching(message) });
    expect(String(error)).not.toMatch(/hunter2|coll:ector/);
    expect(server.requests).toHaveLength(0);
  });

  test('hands on why the credential could not be read', async () => {
    const unreadable = new OrglogError('configuration', 'The secret orglog/institution is empty.');
    await using source = sourceAt(
      { origin: 'http://127.0.0.1:9' },
      { credentials: { get: () => Promise.reject(unreadable) } },
    );
    await expect(readFirst(source)).rejects.toBe(unreadable);
  });

  test('is one exchange a call, over a connection that is kept', async () => {
    await using server = await answering(200, PAGE);
    await using source = sourceAt(server);
    for (let call = 0; call < 20; call += 1) await readFirst(source);
    expect(server.requests).toHaveLength(20);
    expect(server.connections()).toBe(1);
  });
});

describe('a page', () => {
  test('is handed on byte for byte, in a buffer of its own', async () => {
    const sent = Buffer.alloc(600_000, '{"a":"ü\u2028"}\n,');
    await using server = await httpServer((_request, response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8').end(sent);
    });
    await using source = sourceAt(server);
    const one = await readFirst(source);
    const two = await readFirst(source);
    if (one.kind !== 'body' || two.kind !== 'body') throw new Error(`${one.kind} ${two.kind}`);
    expect(one.contentType).toBe('application/json; charset=utf-8');
    expect(one.body.equals(sent)).toBe(true);
    one.body.fill(0);
    expect(two.body.equals(sent)).toBe(true);
  });

  test('in chunks is put together', async () => {
    await using server = await httpServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      for (const part of [PAGE.slice(0, 7), PAGE.slice(7, 20), PAGE.slice(20)]) response.write(part);
      response.end();
    });
    expect(await readFrom(server)).toEqual({
      kind: 'body',
      body: Buffer.from(PAGE),
      contentType: 'application/json',
    });
  });

  test('that is not JSON is for the core to judge', async () => {
    await using server = await answering(200, '<html>Sign in</html>', { 'content-type': 'text/html' });
    expect(await readFrom(server)).toEqual({
      kind: 'body',
      body: Buffer.from('<html>Sign in</html>'),
      contentType: 'text/html',
    });
  });

  test('may be empty and without a type', async () => {
    await using server = await httpServer((_request, response) => void response.writeHead(200).end());
    expect(await readFrom(server)).toEqual({ kind: 'body', body: Buffer.alloc(0), contentType: '' });
  });

  test('compressed all the same is not taken for JSON', async () => {
    await using server = await answering(200, 'xx', { 'content-encoding': 'gzip' });
    expect(await readFrom(server)).toEqual({
      kind: 'broken',
      detail: `${server.origin} answered in content-encoding gzip, though identity was asked for`,
    });
  });

  test.each([
    ['with its length', (size: number) => ({ 'content-length': String(size) })],
    ['in chunks', () => ({})],
  ])('of just the bound is read, one byte more is too large: %s', async (_how, headers) => {
    let size = 100_000;
    await using server = await httpServer((_request, response) => {
      response.writeHead(200, headers(size));
      response.write(Buffer.alloc(size - 1, 32));
      response.end(' ');
    });
    await using source = sourceAt(server, { maxPageBytes: 100_000 });
    expect(await readFirst(source)).toMatchObject({ kind: 'body' });
    size += 1;
    expect(await readFirst(source)).toEqual({
      kind: 'too-large',
      detail: `${server.origin} sent a page of over 100000 bytes`,
    });
    size -= 1;
    expect(await readFirst(source)).toMatchObject({ kind: 'body' });
  });

  test('that never ends is given up at the bound, and its connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await httpServer((_request, response) => {
      response.on('close', closed.resolve).on('error', () => {});
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 32)));
      };
      response.on('drain', pour);
      pour();
    });
    expect(await readFrom(server, { maxPageBytes: 200_000 })).toMatchObject({ kind: 'too-large' });
    await closed.promise;
  });
});

describe('the permitted organization URLs', () => {
  const permitted = async (status: number, body: string) => {
    await using server = await answering(status, body);
    await using source = sourceAt(server);
    const urls = await source.permittedOrgUrls(unfired);
    return { urls, requests: server.requests };
  };

  test('are what the provider lists', async () => {
    const { urls, requests } = await permitted(
      200,
      `{"orgUrls":["${ORG_URL}","https://other.institution.edu"]}`,
    );
    expect(urls).toEqual([ORG_URL, 'https://other.institution.edu']);
    expect(requests.map((request) => [request.method, request.url, request.headers.authorization])).toEqual([
      ['GET', '/logs/v1/orgUrls', `Basic ${Buffer.from('collector:pässwörd:✓').toString('base64')}`],
    ]);
  });

  test.each([
    [401, '{"detail":"no"}'],
    [500, '{"detail":"no"}'],
    [200, '<html>'],
    [200, '{"orgUrls":"one"}'],
    [200, '{"orgUrls":[1]}'],
    [200, '[]'],
  ])('are not known after %i %s', async (status, body) => {
    expect((await permitted(status, body)).urls).toBeUndefined();
  });

  test('are not known without a credential or a server', async () => {
    await using unserved = sourceAt({ origin: 'http://127.0.0.1:9' });
    expect(await unserved.permittedOrgUrls(unfired)).toBeUndefined();
    await using unauthenticated = sourceAt(
      { origin: 'http://127.0.0.1:9' },
      { credentials: { get: () => Promise.reject(new OrglogError('configuration', 'none')) } },
    );
    expect(await unauthenticated.permittedOrgUrls(unfired)).toBeUndefined();
  });

  test('are not waited for once the signal fires', async () => {
    const controller = new AbortController();
    await using server = await httpServer(() => controller.abort());
    await using source = sourceAt(server);
    await expect(source.permittedOrgUrls(controller.signal)).rejects.toMatchObject({ code: 'time-out' });
  });
});
