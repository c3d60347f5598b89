import { describe, expect, test } from 'vitest';
import { answering, CREDENTIAL, httpServer, netServer, ORG_URL, readFrom, TOKEN } from './raw-provider.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const BASIC = Buffer.from(`${CREDENTIAL.username}:${CREDENTIAL.password}`).toString('base64');

async function answerTo(status: number, body: string, headers: Record<string, string> = {}) {
  await using server = await answering(status, body, headers);
  return await readFrom(server, { now: () => NOW });
}

async function detailOf(status: number, body: string, headers: Record<string, string> = {}) {
  const answer = await answerTo(status, body, headers);
  if (answer.kind !== 'status') throw new Error(`a status was expected: ${JSON.stringify(answer)}`);
  return answer.detail;
}

describe('an answer other than 200', () => {
  test.each([401, 403, 500])('%i shows the documented detail', async (status) => {
    expect(await answerTo(status, '{"detail":"Not for this organization"}')).toEqual({
      kind: 'status',
      status,
      detail: 'Not for this organization',
      namesToken: false,
    });
  });

  test('422 shows where and what, and whether the token is meant', async () => {
    const body = JSON.stringify({
      detail: [
        { loc: ['query', 'limit'], msg: 'ensure this value is at most 1000', type: 'value_error' },
        { loc: ['query', 'nextToken', 0], msg: 'not known', type: 'value_error' },
      ],
    });
    expect(await answerTo(422, body)).toEqual({
      kind: 'status',
      status: 422,
      detail: 'query.limit: ensure this value is at most 1000; query.nextToken.0: not known',
      namesToken: true,
    });
  });

  test('names the token only in a loc, and only for 422', async () => {
    const loc = (name: string) =>
      `{"detail":[{"loc":["query","${name}"],"msg":"about nextToken","type":"t"}]}`;
    expect(await answerTo(422, loc('orgUrl'))).toMatchObject({ namesToken: false });
    expect(await answerTo(422, loc('nextTokens'))).toMatchObject({ namesToken: false });
    expect(await answerTo(422, '{"detail":"nextToken"}')).toMatchObject({ namesToken: false });
    expect(await answerTo(400, loc('nextToken'))).toMatchObject({ namesToken: false });
    expect(await answerTo(422, '{"detail":[{"loc":["nextToken"]}]}')).toMatchObject({ namesToken: true });
  });

  test.each([201, 204, 206, 404, 410, 429, 503])('%i is a status, not a page', async (status) => {
    expect(await answerTo(status, '{"logEvents":[]}')).toMatchObject({ kind: 'status', status });
  });

  test.each([301, 302, 307, 308])('%i is not followed', async (status) => {
    await using other = await answering(200, '{}');
    const location = `${other.origin}/elsewhere?nextToken=${TOKEN}#secret`;
    await using server = await answering(status, '', { location });
    expect(await readFrom(server)).toEqual({
      kind: 'status',
      status,
      detail: `redirects are not followed (to ${other.origin}): the base URL must be the provider's own address`,
      namesToken: false,
    });
    expect(other.requests).toHaveLength(0);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['https://user:secret@login.institution.edu:8443/x', 'https://login.institution.edu:8443'],
    ['data:text/plain,secret', 'data:'],
    ['https://%%%', 'no readable address'],
  ])('a redirect to %s names no more than the origin', async (location, shown) => {
    expect(await detailOf(302, '', { location })).toContain(`(to ${shown})`);
  });

  test('a relative redirect names the same origin, a missing one none', async () => {
    await using server = await answering(302, '', { location: '/login' });
    expect(await readFrom(server)).toMatchObject({
      detail: expect.stringContaining(`(to ${server.origin})`),
    });
    expect(await detailOf(304, '')).toContain('(to no readable address)');
  });
});

describe('a detail', () => {
  test('of HTML is the start of its text', async () => {
    const html = `<!doctype html>\n<html><head><style>b { color: red }</style><script>let x = "<b>";</script>
      <title>502 Bad\tGateway</title></head>\n<body><h1>Bad   Gateway</h1>${'<p>more</p>'.repeat(100)}</body></html>`;
    const detail = await detailOf(502, html, { 'content-type': 'text/html' });
    expect(detail).toMatch(/^502 Bad Gateway Bad Gateway more more/);
    expect(detail).toHaveLength(200);
  });

  test.each([
    ['', 'no detail (Bad Gateway 502)'],
    ['   \n', 'no detail (Bad Gateway 502)'],
    ['{"detail":""}', '{"detail":""}'],
    ['{"message":"upstream"}', '{"message":"upstream"}'],
    ['{"detail":{"a":1}}', '{"detail":{"a":1}}'],
    ['"text"', '"text"'],
  ])('of %j is %j', async (body, shown) => {
    expect(await detailOf(502, body)).toBe(shown);
  });

  test('is one line without control characters, of at most 500', async () => {
    const text = JSON.stringify({ detail: `a\r\nb\u0000\u001b[31mc\u202ed\u2028e ${'é'.repeat(1000)}` });
    const detail = await detailOf(500, text);
    expect(detail).toMatch(/^a b \[31mc d e é+…$/);
    expect(detail).toHaveLength(500);
  });

  test('of an endless body is what the first 64 KiB say', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await httpServer((_request, response) => {
      response.on('close', closed.resolve).on('error', () => {});
      response.writeHead(503);
      response.write('Service down. '.repeat(5000));
    });
    expect(await readFrom(server)).toMatchObject({
      kind: 'status',
      status: 503,
      detail: expect.stringMatching(/^Service down\. Service down\./),
    });
    await closed.promise;
  });

  test('of a body that breaks off or hangs is what came', async () => {
    await using reset = await netServer((socket) => {
      socket.write('HTTP/1.1 503 Down\r\ncontent-length: 500\r\n\r\nGone for lunch');
      socket.end();
    });
    expect(await readFrom(reset)).toMatchObject({ kind: 'status', status: 503, detail: 'Gone for lunch' });
    await using hanging = await netServer((socket) => {
      socket.write('HTTP/1.1 401 No\r\ncontent-length: 500\r\n\r\nWho are you');
    });
    expect(await readFrom(hanging, { pageTimeoutMs: 300 })).toMatchObject({
      status: 401,
      detail: 'Who are you',
    });
  });

  test.each([
    ['JSON', (echo: string) => JSON.stringify({ detail: `refused: ${echo}` })],
    ['JSON of another shape', (echo: string) => JSON.stringify({ message: `refused: ${echo}` })],
    [
      'a ValidationError',
      (echo: string) => JSON.stringify({ detail: [{ loc: ['header'], msg: echo, type: 't' }] }),
    ],
    ['HTML', (echo: string) => `<p>refused: ${echo}</p>`],
  ])('never repeats a secret that the server echoes in %s', async (_what, bodyOf) => {
    const echo = `password ${CREDENTIAL.password}, ${encodeURIComponent(CREDENTIAL.password)}, Basic ${BASIC}, ?nextToken=${TOKEN.toUpperCase()}`;
    const detail = await detailOf(401, bodyOf(echo));
    expect(detail).toContain('password «redacted», «redacted», Basic «redacted»');
    expect(detail).not.toMatch(/p(ä|%C3%A4)ssw/);
    expect(detail.toLowerCase()).not.toContain(TOKEN);
    expect(detail).not.toContain(BASIC.slice(0, 12));
  });

  test('never keeps the start of a secret where it is cut', async () => {
    const detail = await detailOf(500, JSON.stringify({ detail: `${'x'.repeat(495)}${TOKEN}` }));
    expect(detail).toBe(`${'x'.repeat(495)}«red…`);
  });

  test.each(['<b>&"quoted"</b>', 'back\\slash "quote"', "it's", '(.*)+[', ' two  spaces '])(
    'never repeats the password %j, however it is spelled',
    async (password) => {
      const html = password
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;');
      for (const body of [
        JSON.stringify({ detail: `a${password}z` }),
        JSON.stringify({ message: `a${password}z` }),
        `<i>a${html}z</i>`,
        `a${encodeURIComponent(password)}z`,
      ]) {
        await using server = await answering(401, body);
        const answer = await readFrom(server, {
          credentials: { get: async () => ({ username: 'c', password }) },
        });
        expect(answer).toMatchObject({ detail: expect.stringContaining('a«redacted»z') });
      }
    },
  );

  test('in an encoding that was not asked for is not shown', async () => {
    expect(await detailOf(500, '\u001f\u008b', { 'content-encoding': 'gzip' })).toBe(
      'no detail (Internal Server Error 500)',
    );
  });
});

describe('Retry-After', () => {
  test.each([
    ['17', 17_000],
    ['0', 0],
    ['-3', 0],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ])('%s is handed on as %i ms', async (value, retryAfterMs) => {
    expect(await answerTo(429, '{"detail":"slow down"}', { 'retry-after': value })).toEqual({
      kind: 'status',
      status: 429,
      detail: 'slow down',
      namesToken: false,
      retryAfterMs,
    });
  });

  test.each(['soon', '99999999999', ''])('%j is ignored', async (value) => {
    expect(await answerTo(503, '{"detail":"down"}', { 'retry-after': value })).toEqual({
      kind: 'status',
      status: 503,
      detail: 'down',
      namesToken: false,
    });
  });

  test('comes with no other clock than the real one unless given', async () => {
    await using server = await answering(429, '', {
      'retry-after': new Date(Date.now() + 3_600_000).toUTCString(),
    });
    const answer = await readFrom(server, { orgUrl: ORG_URL });
    if (answer.kind !== 'status') throw new Error(answer.kind);
    expect(answer.retryAfterMs).toBeGreaterThan(3_500_000);
    expect(answer.retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });
});
