import { describe, expect, test } from 'vitest';
import type { Credential } from '../../../functions/core/ports.ts';
import { CREDENTIAL } from '../raw-provider.ts';
import { type Answer, clientAt, idleClock, never, rejection, scripted, vacantOrigin } from './bed.ts';
import { BASE, COLLECTION, OPERATIONS } from './operations.ts';

const ODD: Answer = { status: 200, text: '<html>Please wait</html>' };
const status = (code: number): Answer => ({ status: code, body: { detail: 'Database error' } });

describe.each(OPERATIONS)('$name', (row) => {
  const success: Answer = { status: row.status, body: row.answer('serviceUid') };
  const uncertain: readonly [string, Answer][] = [
    ['500', status(500)],
    ['503', status(503)],
    ['reset', 'reset'],
    ['a 404 that is not the document’s', { status: 404, text: '<html>no such page</html>' }],
    // A deletion expects no body, so none is odd.
    ...(row.method === 'DELETE' ? [] : [['no JSON', ODD] as [string, Answer]]),
  ];

  test.each(uncertain)('after %s it is repeated only where that is safe', async (_what, trouble) => {
    await using server = await scripted([trouble, success]);
    await using client = clientAt(server.origin);
    if (row.idempotent) {
      expect(await row.call(client)).toEqual(row.result);
      expect(server.asked).toHaveLength(2);
      expect(server.asked[1]).toEqual(server.asked[0]);
    } else {
      const error = await rejection(row.call(client));
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('look at what is there before doing it again'),
      });
      expect(server.asked).toHaveLength(1);
    }
  });

  test('after 429 and after 401 it is repeated: it was certainly not done', async () => {
    await using server = await scripted([status(429), status(401), success]);
    await using client = clientAt(server.origin);
    expect(await row.call(client)).toEqual(row.result);
    expect(server.asked).toHaveLength(3);
  });

  test('where no connection came about it is repeated: nothing was sent', async () => {
    const origin = await vacantOrigin();
    await using stack = new AsyncDisposableStack();
    const opened: Awaited<ReturnType<typeof scripted>>[] = [];
    const clock = idleClock(async () => {
      opened.push(stack.use(await scripted([success], Number(new URL(origin).port))));
    });
    await using client = clientAt(origin, { clock });
    expect(await row.call(client)).toEqual(row.result);
    expect(opened.map(({ asked }) => asked.length)).toEqual([1]);
  });
});

describe('a time-out', () => {
  test('of a read is followed by another try', async () => {
    await using server = await scripted(['hang', { status: 200, body: ['x'] }]);
    await using client = clientAt(server.origin, { requestTimeoutMs: 100 });
    expect(await client.search('prod', 'x', never())).toEqual(['x']);
  });

  test('of a creation is not', async () => {
    await using server = await scripted(['hang']);
    await using client = clientAt(server.origin, { requestTimeoutMs: 100 });
    const person = { mail: 'jane.doe@institution.edu', givenName: 'Jane', sn: 'Doe' };
    const error = await rejection(client.create('prod', person, never()));
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('over 100 ms') });
    expect(error.message).toContain('It may all the same have been done');
    expect(server.asked).toHaveLength(1);
  });
});

test('what never got a connection was not sent, and is', async () => {
  const body = { serviceUid: 'x', ...BASE, attributeCollection: COLLECTION };
  await using server = await scripted(['hang', { status: 200, body }]);
  await using client = clientAt(server.origin, { requestTimeoutMs: 100, connections: 1 });
  await Promise.all([
    client.fetch('x', never()),
    client.createRemoteCredential('x', { authority: 'a', uid: 'u' }, never()),
  ]);
  expect(server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('trouble before it makes no success of a read that finds nothing', async () => {
  await using server = await scripted([status(500), { status: 404, body: { detail: 'Record not found' } }]);
  await using client = clientAt(server.origin);
  expect(await rejection(client.fetch('x', never()))).toMatchObject({ code: 'not-found' });
});

describe('waiting', () => {
  test('grows, with jitter, and ends after maxAttempts', async () => {
    const clock = idleClock();
    // The one with the credential read anew does not count.
    await using server = await scripted([status(401), status(500)]);
    await using client = clientAt(server.origin, { clock, random: () => 0, maxAttempts: 4 });
    const error = await rejection(client.fetch('x', never()));
    expect(clock.slept).toEqual([500, 1000, 2000]);
    expect(server.asked).toHaveLength(5);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.message).toMatch(
      /fetch the identity “x” \(4 tries\): 500: Database error\. Try again later/,
    );
  });

  test('is as long as Retry-After says, in seconds or as a date', async () => {
    const clock = idleClock();
    const inTwentySeconds = new Date(clock.now() + 10_000 + 20_000).toUTCString();
    await using server = await scripted([
      { status: 429, headers: { 'retry-after': '10' } },
      { status: 503, headers: { 'retry-after': inTwentySeconds } },
      { status: 200, body: [] },
    ]);
    await using client = clientAt(server.origin, { clock });
    expect(await client.search('prod', 'x', never())).toEqual([]);
    expect(clock.slept).toEqual([10_000, 20_000]);
  });

  test('is not begun where it would end past the budget', async () => {
    const clock = idleClock();
    await using server = await scripted([
      status(500),
      { status: 429, headers: { 'retry-after': '60' }, body: { detail: 'Slow down' } },
    ]);
    await using client = clientAt(server.origin, { clock, retryBudgetMs: 60_000 });
    const error = await rejection(client.search('prod', 'x', never()));
    expect(error.message).toContain('waiting 60 s more would be too long): 429: Slow down');
    expect(clock.slept).toEqual([1000]);
    expect(server.asked).toHaveLength(2);
  });
});

describe('a deletion whose second try finds nothing', () => {
  const gone: Answer = { status: 404, body: { detail: 'Record not found' } };
  const link = { authority: 'a', uid: 'u' };

  test.each([['reset'], ['503']])('was done by the first (%s)', async (first) => {
    await using server = await scripted([first === 'reset' ? 'reset' : status(503), gone]);
    await using client = clientAt(server.origin);
    await client.deleteCollection('x', link, never());
    await using again = await scripted([status(500), gone]);
    await using other = clientAt(again.origin);
    await other.deleteRemoteCredential('x', link, never());
    expect([...server.asked, ...again.asked].map(({ method }) => method)).toEqual(Array(4).fill('DELETE'));
  });

  test('had nothing to delete where the first was not carried out', async () => {
    await using server = await scripted([status(429), gone]);
    await using client = clientAt(server.origin);
    const error = await rejection(client.deleteCollection('x', link, never()));
    expect(error).toMatchObject({ code: 'not-found', message: expect.stringContaining('“x”') });
  });

  test('is not found at the first try', async () => {
    await using server = await scripted([gone]);
    await using client = clientAt(server.origin);
    const error = await rejection(client.deleteCollection('x', link, never()));
    expect(error).toMatchObject({ code: 'not-found' });
  });
});

describe('a credential that is refused', () => {
  const rotated: Credential = { username: 'collector', password: 'after-the-rotation' };
  const basic = ({ username, password }: Credential) =>
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

  test('is read past every cache once, and what it is then is sent', async () => {
    const reads: boolean[] = [];
    let known = CREDENTIAL;
    const get = async ({ fresh }: { fresh: boolean }) => {
      reads.push(fresh);
      if (fresh) known = rotated;
      return known;
    };
    await using server = await scripted([
      { status: 401, body: { detail: 'Not authorized' } },
      status(500),
      { status: 200, body: { ...BASE, serviceUid: 'x' } },
    ]);
    await using client = clientAt(server.origin, { credentials: { get } });
    await client.fetch('x', never());
    expect(reads).toEqual([false, true, false]);
    expect(server.asked.map(({ authorization }) => authorization)).toEqual(
      [CREDENTIAL, rotated, rotated].map(basic),
    );
  });

  test.each(OPERATIONS)('at the second try too ends $name, saying what it may lack', async (row) => {
    await using server = await scripted([{ status: 401, body: { detail: 'Not authorized' } }]);
    await using client = clientAt(server.origin);
    const error = await rejection(row.call(client));
    expect(error).toMatchObject({ code: 'not-authorized' });
    expect(error.message).toMatch(/\(401: Not authorized\)/);
    expect(error.message).toMatch(
      row.name === 'permissions'
        ? /lacks access to identity records/
        : row.name === 'createHostedCredential'
          ? /lacks .*`obid: write`/
          : row.method === 'GET'
            ? /lacks the permission `read`/
            : /lacks the permission .*`write`/,
    );
    expect(server.asked).toHaveLength(2);
  });
});
