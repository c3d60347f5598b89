import { describe, expect, it } from 'vitest';
import { generateTraffic } from '../../../local/provider/traffic.ts';
import {
  call,
  DAY,
  MINUTE,
  NOON,
  numbered,
  ORG_URL,
  OTHER_URL,
  readAll,
  readPage,
  start,
} from './support.ts';

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('paging', () => {
  it.each([1, 7, 1000])('reaches the end in log order with limit %i', async (limit) => {
    await using provider = await start();
    const count = limit === 1 ? 60 : 2500;
    const traffic = { seed: 3, orgUrl: ORG_URL, orgDomain: 'institution.edu', count };
    provider.append(ORG_URL, generateTraffic({ ...traffic, fromMs: NOON - 50 * MINUTE, toMs: NOON }));

    const pages = await readAll(provider, { limit });

    const lines = pages.flatMap((page) => page.logEvents.map((event) => JSON.stringify(event)));
    expect(lines).toEqual([...provider.lines(ORG_URL)]);
    expect(lines).toHaveLength(count);
    expect(pages.map((page) => page.count)).toEqual(pages.map((page) => page.logEvents.length));
    expect(pages.slice(0, Math.floor(count / limit)).every((page) => page.count === limit)).toBe(true);
    expect(pages.at(-1)).toMatchObject({ count: 0, logEvents: [] });
  });

  it('returns 1000 events when no limit is given', async () => {
    await using provider = await start();
    provider.appendRaw(ORG_URL, numbered(1001));
    expect((await readPage(provider)).count).toBe(1000);
  });

  it('issues version 7 tokens that sort by time of issue, and the one supplied when caught up', async () => {
    let now = NOON;
    await using provider = await start({ now: () => now });
    provider.appendRaw(ORG_URL, numbered(5));
    const tokens: string[] = [];
    let nextToken = {};
    for (let page = 0; page < 5; page += 1) {
      const { nextToken: token } = await readPage(provider, { limit: 1, ...nextToken });
      tokens.push(String(token));
      nextToken = { nextToken: String(token) };
      // Several tokens within one ms, and a clock that steps back.
      if (page === 2) now -= 10;
    }
    expect(tokens.every((token) => UUID7.test(token))).toBe(true);
    expect(tokens).toEqual([...tokens].sort());
    expect(new Set(tokens).size).toBe(5);
    expect(Number.parseInt(String(tokens[0]).replace('-', '').slice(0, 12), 16)).toBe(NOON);
    expect((await readPage(provider, nextToken)).nextToken).toBe(tokens.at(-1));
  });

  it('goes on with what was appended after catching up', async () => {
    await using provider = await start();
    provider.appendRaw(ORG_URL, numbered(2));
    const caughtUp = String((await readPage(provider)).nextToken);
    expect((await readPage(provider, { nextToken: caughtUp })).nextToken).toBe(caughtUp);
    provider.appendRaw(ORG_URL, [{ json: '{"late":true}', timeMs: NOON - DAY }]);
    expect(await readPage(provider, { nextToken: caughtUp })).toMatchObject({ logEvents: [{ late: true }] });
  });

  it('keeps the logs of two organizations apart', async () => {
    await using provider = await start();
    provider.appendRaw(ORG_URL, numbered(2));
    provider.appendRaw(OTHER_URL, numbered(3));
    expect((await readPage(provider)).count).toBe(2);
    expect([provider.count(ORG_URL), provider.count(OTHER_URL)]).toEqual([2, 3]);
  });

  it('reads from the very first event with a start token', async () => {
    await using provider = await start();
    provider.appendRaw(ORG_URL, numbered(3, NOON - 30 * DAY));
    expect((await readPage(provider)).count).toBe(0);
    expect((await readPage(provider, { nextToken: provider.startToken(ORG_URL) })).count).toBe(3);
  });
});

describe('a read without a token', () => {
  it('has no token to give for an empty log, or one whose events are all older than an hour', async () => {
    await using provider = await start();
    expect(await readPage(provider)).toMatchObject({ nextToken: null, count: 0, logEvents: [] });
    provider.appendRaw(ORG_URL, [{ json: '{}', timeMs: NOON - 60 * MINUTE - 1 }]);
    expect(await readPage(provider)).toMatchObject({ nextToken: null, count: 0, logEvents: [] });
  });

  it('starts at the first record of the last hour, and keeps what arrived late after it', async () => {
    await using provider = await start();
    provider.appendRaw(ORG_URL, [
      { json: '{"n":1}', timeMs: NOON - 60 * MINUTE - 1 },
      { json: '{"n":2}', timeMs: NOON - 60 * MINUTE },
      { json: '{"n":3}', timeMs: NOON - 65 * MINUTE },
      { json: '{"n":4}', timeMs: NOON },
    ]);
    expect((await readPage(provider)).logEvents).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }]);
  });
});

describe('ref and next', () => {
  it('echo the call and lead to the next page', async () => {
    await using provider = await start();
    provider.appendRaw(ORG_URL, numbered(3));
    const query = `orgUrl=${encodeURIComponent(ORG_URL)}&limit=2&extra=a+b%20c`;
    const first = JSON.parse((await call(provider, { query })).text);
    expect(first.ref).toBe(`${provider.url}/logs/v1/orgLogs?${query}`);
    expect(first.next).toBe(`${first.ref}&nextToken=${first.nextToken}`);

    const search = new URL(first.next).search.slice(1);
    const second = JSON.parse((await call(provider, { query: search })).text);
    expect(second.ref).toBe(first.next);
    expect(second.next).toBe(`${first.ref}&nextToken=${second.nextToken}`);
    expect(second.logEvents).toEqual([{ number: 3 }]);
  });

  it('are the same where there is no token', async () => {
    await using provider = await start();
    const { ref, next } = await readPage(provider);
    expect(next).toBe(ref);
  });
});

describe('the body', () => {
  it('has its members in the documented order and serves texts unchanged', async () => {
    await using provider = await start();
    const odd = '{"n":12345678901234567890,"e":1e400,"a":1,"a":2,"":"},{","u":"\\ud800","é":"\u2028"}';
    provider.appendRaw(ORG_URL, [{ json: odd, timeMs: NOON }]);
    const { text, headers } = await call(provider, { query: { orgUrl: ORG_URL } });
    expect(Object.keys(JSON.parse(text))).toEqual(['ref', 'next', 'nextToken', 'count', 'logEvents']);
    expect(text.endsWith(`,"count":1,"logEvents":[${odd}]}`)).toBe(true);
    expect([...provider.lines(ORG_URL)]).toEqual([odd]);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });
});
