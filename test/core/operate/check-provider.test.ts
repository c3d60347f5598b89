import { describe, expect, test } from 'vitest';
import {
  judgeClock,
  judgePermissions,
  judgeReachable,
  listed,
  tryLog,
} from '../../../functions/core/operate/check-provider.ts';
import { inWords } from '../../../functions/core/operate/check-verdict.ts';
import type { PageAnswer } from '../../../functions/core/ports.ts';
import { never } from '../../contracts/support.ts';

const ORG_URL = 'https://institution.edu';
const PAGE = {
  kind: 'body',
  body: Buffer.from('{"logEvents":[]}'),
  contentType: 'application/json',
} as const;
const status = (code: number): PageAnswer => ({
  kind: 'status',
  status: code,
  detail: 'why',
  namesToken: false,
});

async function trial(answer: PageAnswer, permitted?: readonly string[]) {
  const source = { readPage: async () => answer, permittedOrgUrls: async () => permitted };
  const { credential, orgUrl } = await tryLog(source, { orgUrl: ORG_URL }, never);
  return [credential.verdict, orgUrl.verdict, inWords(orgUrl)];
}

describe('a credential', () => {
  test.each([
    ['an event', PAGE, ['ok', 'ok']],
    ['401', status(401), ['failed', 'unknown']],
    ['403', status(403), ['ok', 'failed']],
    ['422', status(422), ['ok', 'failed']],
    ['429', status(429), ['unknown', 'unknown']],
    ['500', status(500), ['unknown', 'unknown']],
    ['404', status(404), ['failed', 'unknown']],
    ['a redirect', status(302), ['failed', 'unknown']],
    ['no answer', { kind: 'broken', detail: 'reset' } as const, ['unknown', 'unknown']],
    ['a slow answer', { kind: 'too-slow', detail: 'slow' } as const, ['unknown', 'unknown']],
    ['a huge answer', { kind: 'too-large', detail: 'large' } as const, ['ok', 'unknown']],
    ['a page of HTML', { ...PAGE, body: Buffer.from('<html>') }, ['ok', 'failed']],
  ])('that meets %s', async (_what, answer, [credential, orgUrl]) => {
    expect(await trial(answer)).toEqual([credential, orgUrl, expect.any(String)]);
  });

  test('is told which orgUrl was meant, or which there are', async () => {
    expect((await trial(status(403), ['https://institution.edu/']))[2]).toBe(
      'orgUrl "https://institution.edu" is not permitted: write "https://institution.edu/", which differs in the slash at its end',
    );
    expect((await trial(status(403), ['https://a.org']))[2]).toMatch(
      /: the credential may read "https:\/\/a\.org"$/,
    );
    expect((await trial(status(403), []))[2]).toMatch(/may read nothing$/);
    expect((await trial(status(403), [ORG_URL]))[2]).toMatch(
      /though it is permitted \(403 why\): check the filters/,
    );
  });

  test('lists are not endless', () => {
    const many = Array.from({ length: 12 }, (_, at) => `u${at}`);
    expect(listed(many)).toMatch(/^"u0", .*"u9" and 2 more$/);
  });
});

describe('the provider', () => {
  const answer = (code: number, skewMs = 0, tookMs = 0) => ({
    ...({ kind: 'answer', status: code, sentAt: 1_000_000, receivedAt: 1_000_000 + tookMs } as const),
    // As a `Date` header: whole seconds.
    serverAt: Math.floor((1_000_000 + tookMs / 2 - skewMs) / 1000) * 1000,
  });

  test.each([
    [200, 'ok'],
    [401, 'ok'],
    [403, 'ok'],
    [429, 'ok'],
    [404, 'failed'],
    [301, 'failed'],
    [503, 'failed'],
  ])('that answers %d is %s', (code, verdict) => {
    expect(judgeReachable('https://api.org', answer(code)).verdict).toBe(verdict);
  });

  test.each([
    [0, 'ok', 'its clock and ours agree'],
    [-900, 'ok', 'its clock and ours agree'],
    [5_000, 'ok', 'its clock and ours differ by 5 s'],
    [-62_000, 'failed', /our clock is 6[123] s behind the provider's/],
    [180_000, 'failed', /our clock is 1[78]\d s ahead of the provider's/],
  ])('whose clock differs by %d ms is %s', (skewMs, verdict, said) => {
    const found = judgeClock(answer(200, skewMs));
    expect(found.verdict).toBe(verdict);
    expect(found.said).toMatch(said);
  });

  test('is not blamed for a slow line, nor for telling no time', () => {
    expect(judgeClock(answer(200, 64_000, 20_000)).verdict).toBe('ok');
    expect(judgeClock({ kind: 'answer', status: 200, sentAt: 0, receivedAt: 0 }).verdict).toBe('unknown');
    expect(judgeClock({ kind: 'failed', detail: 'refused' }).verdict).toBe('unknown');
  });
});

describe('permissions', () => {
  const group = (permissions: string[], attributeAuthorities: string[] = []) => ({
    ...{ permissions, attributeAuthorities, customerUidKeys: [] },
  });
  const hr = 'https://hr.institution.edu';

  test.each([
    [['read'], undefined, 'ok'],
    [['admin-all'], [], 'ok'],
    [['read'], [hr], 'ok'],
    [['write'], undefined, 'failed'],
    [[], undefined, 'failed'],
    [['read'], ['https://hr.institution.edu/'], 'failed'],
  ])('%j for %j is %s', (permissions, authorities, verdict) => {
    const environments = { prod: group(permissions, [hr]) };
    const wanted = { environment: 'prod', ...(authorities && { authorities }) } as const;
    expect(judgePermissions({ environments }, wanted).verdict).toBe(verdict);
  });

  test('say which authority was meant, and which environment is missing', () => {
    const environments = { prod: group(['read'], [hr]) };
    const slash = judgePermissions({ environments }, { environment: 'prod', authorities: [`${hr}/`] });
    expect(inWords(slash)).toMatch(
      /: write "https:\/\/hr\.institution\.edu", which differs in the slash at its end$/,
    );
    expect(inWords(judgePermissions({ environments }, { environment: 'test' }))).toBe(
      'the credential may not read the identities of test (it may: nothing): ask the provider for the permission read',
    );
  });
});
