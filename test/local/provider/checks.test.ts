import { describe, expect, it } from 'vitest';
import {
  BOTH,
  basic,
  call,
  DAY,
  NOON,
  numbered,
  ORG_URL,
  OTHER_URL,
  type Query,
  readPage,
  start,
  USER,
} from './support.ts';

const UNKNOWN = '019bc186-de00-7063-b455-7615576cfb48';

/** What a 422 complains about: the last part of each `loc`, with its type. */
function complaints(text: string): string[] {
  const { detail } = JSON.parse(text) as { detail: { loc: string[]; msg: string; type: string }[] };
  return detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

describe('credentials', () => {
  it('lists what the credential may read', async () => {
    await using provider = await start();
    const path = '/logs/v1/orgUrls';
    expect(await call(provider, { path })).toMatchObject({
      status: 200,
      text: JSON.stringify({ orgUrls: [ORG_URL] }),
    });
    const both = await call(provider, { path, authorization: basic(BOTH) });
    expect(JSON.parse(both.text)).toEqual({ orgUrls: [ORG_URL, OTHER_URL] });
  });

  it.each([
    ['no header', undefined],
    ['another scheme', `Bearer ${Buffer.from('reader:secret').toString('base64')}`],
    ['a wrong password', basic({ ...USER, password: 'wrong' })],
    ['an unknown user', basic({ ...USER, username: 'nobody' })],
    ['no colon', `Basic ${Buffer.from('reader').toString('base64')}`],
    ['nothing after the scheme', 'Basic '],
  ])('answers 401 to %s', async (_name, authorization) => {
    await using provider = await start();
    for (const path of ['/logs/v1/orgUrls', '/logs/v1/orgLogs']) {
      const reply = await call(provider, { path, authorization, query: { orgUrl: ORG_URL } });
      expect(reply.status).toBe(401);
      expect(JSON.parse(reply.text)).toEqual({ detail: expect.any(String) });
      expect(reply.headers['www-authenticate']).toMatch(/^Basic /);
    }
  });

  it.each([
    ['another organization', OTHER_URL],
    ['a missing trailing slash', ORG_URL.slice(0, -1)],
    ['other letter case', ORG_URL.replace('login', 'Login')],
    ['an unknown organization', 'https://nowhere.example/'],
    ['a blank at the end', `${ORG_URL}%20`],
  ])('answers 403 to %s', async (_name, orgUrl) => {
    await using provider = await start();
    const reply = await call(provider, { query: { orgUrl } });
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.text)).toEqual({ detail: expect.any(String) });
  });

  it('answers 403 to an organization that only the credential knows', async () => {
    const orgUrls = ['https://nowhere.example/'];
    await using provider = await start({ credentials: [{ ...USER, orgUrls }] });
    expect((await call(provider, { query: { orgUrl: String(orgUrls[0]) } })).status).toBe(403);
  });
});

describe('parameters', () => {
  it.each<[string, Query | string, string]>([
    ['no orgUrl', {}, 'query.orgUrl missing'],
    ['an orgUrl that is no URI', { orgUrl: 'institution' }, 'query.orgUrl custom'],
    ['orgUrl twice', 'orgUrl=https://a.example/&orgUrl=https://a.example/', 'query.orgUrl invalid_type'],
    ['limit 0', { orgUrl: ORG_URL, limit: 0 }, 'query.limit too_small'],
    ['a limit below zero', { orgUrl: ORG_URL, limit: -1 }, 'query.limit too_small'],
    ['limit 1001', { orgUrl: ORG_URL, limit: 1001 }, 'query.limit too_big'],
    ['a fraction', { orgUrl: ORG_URL, limit: 1.5 }, 'query.limit invalid_format'],
    ['an empty limit', { orgUrl: ORG_URL, limit: '' }, 'query.limit invalid_format'],
    ['an unknown service', { orgUrl: ORG_URL, service: 'IDP' }, 'query.service invalid_value'],
    ['an unknown logType', { orgUrl: ORG_URL, logType: 'mfa' }, 'query.logType invalid_value'],
    ['an unknown logSubtype', { orgUrl: ORG_URL, logSubtype: '' }, 'query.logSubtype invalid_value'],
    ['a token that is no UUID', { orgUrl: ORG_URL, nextToken: 'abc' }, 'query.nextToken invalid_format'],
    ['an empty token', { orgUrl: ORG_URL, nextToken: '' }, 'query.nextToken invalid_format'],
  ])('answers 422 to %s', async (_name, query, complaint) => {
    await using provider = await start();
    const reply = await call(provider, { query });
    expect(reply.status).toBe(422);
    expect(complaints(reply.text)).toEqual([complaint]);
  });

  it('names every fault at once', async () => {
    await using provider = await start();
    const reply = await call(provider, { query: { limit: 'x', nextToken: 'y' } });
    expect(complaints(reply.text).map((each) => each.split(' ')[0])).toEqual([
      'query.orgUrl',
      'query.nextToken',
      'query.limit',
    ]);
  });

  it.each([1, 1000])('accepts limit %i', async (limit) => {
    await using provider = await start();
    expect((await readPage(provider, { limit })).count).toBe(0);
  });
});

describe('tokens', () => {
  it('answers 422 naming nextToken to one that it never issued, or issued for another organization', async () => {
    await using provider = await start();
    for (const nextToken of [UNKNOWN, provider.startToken(OTHER_URL)]) {
      const reply = await call(provider, { query: { orgUrl: ORG_URL, nextToken } });
      expect([reply.status, ...complaints(reply.text)]).toEqual([422, 'query.nextToken unknown_token']);
    }
  });

  it('accepts a token in capital letters', async () => {
    await using provider = await start();
    const nextToken = provider.startToken(ORG_URL).toUpperCase();
    expect((await readPage(provider, { nextToken })).nextToken).toBe(nextToken);
  });

  it.each([
    ['90 days', undefined, 90 * DAY],
    ['the retention set', 1000, 1000],
  ])('forgets a token after %s', async (_name, retention, ageMs) => {
    let now = NOON;
    await using provider = await start({
      now: () => now,
      ...(retention !== undefined && { tokenRetentionMs: retention }),
    });
    provider.appendRaw(ORG_URL, numbered(1));
    const nextToken = String((await readPage(provider)).nextToken);
    now += ageMs;
    expect((await readPage(provider, { nextToken })).nextToken).toBe(nextToken);
    now += 1;
    const reply = await call(provider, { query: { orgUrl: ORG_URL, nextToken } });
    expect([reply.status, ...complaints(reply.text)]).toEqual([422, 'query.nextToken unknown_token']);
  });
});

it('checks credentials first, then parameters, then permission, then the token', async () => {
  await using provider = await start();
  const status = async (query: Query, authorization = basic(USER)) =>
    (await call(provider, { query, authorization })).status;
  const wrong = basic({ ...USER, password: 'wrong' });
  expect(await status({ orgUrl: OTHER_URL, limit: 0, nextToken: UNKNOWN }, wrong)).toBe(401);
  expect(await status({ orgUrl: OTHER_URL, limit: 0, nextToken: UNKNOWN })).toBe(422);
  expect(await status({ orgUrl: OTHER_URL, limit: 1, nextToken: UNKNOWN })).toBe(403);
  expect(await status({ orgUrl: ORG_URL, limit: 1, nextToken: UNKNOWN })).toBe(422);
});

it('answers 404 to any other path and method', async () => {
  await using provider = await start();
  for (const path of ['/', '/logs/v1', '/logs/v1/orgLogs/', '/logs/v1/other']) {
    expect(await call(provider, { path })).toMatchObject({ status: 404, text: '{"detail":"Not Found"}' });
  }
});

it('records calls without their credentials', async () => {
  await using provider = await start();
  await readPage(provider, { limit: 5 });
  await call(provider, { path: '/logs/v1/orgUrls', authorization: undefined });
  await call(provider, { path: '/openapi.json' });
  expect(provider.requests).toEqual([
    {
      method: 'GET',
      path: '/logs/v1/orgLogs',
      query: { orgUrl: ORG_URL, limit: '5' },
      atMs: NOON,
      status: 200,
    },
    { method: 'GET', path: '/logs/v1/orgUrls', query: {}, atMs: NOON, status: 401 },
  ]);
});
