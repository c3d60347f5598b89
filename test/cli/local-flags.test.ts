import { describe, expect, test } from 'vitest';
import { UsageError } from '../../cli/failure.ts';
import { parseLocalFlags, type RawFlags } from '../../cli/local-flags.ts';

const ENV = { ORGLOG_USERNAME: 'collector', ORGLOG_PASSWORD: 'secret' };
const REAL = { baseUrl: 'https://logs.institution.edu', orgUrl: 'https://institution.edu/' };

function faultsOf(
  raw: RawFlags,
  operands: string[] = [],
  env: Record<string, string> = ENV,
): readonly string[] {
  try {
    parseLocalFlags(raw, operands, env);
  } catch (error) {
    if (error instanceof UsageError) return error.faults;
    throw error;
  }
  return [];
}

describe('the flags of orglog local', () => {
  test('none: the stand-in, every 2 seconds', () => {
    expect(parseLocalFlags({}, [], {})).toEqual({
      dataDir: '.local',
      once: false,
      limit: 1000,
      everyMs: 2000,
      batchBytes: 8 * 1024 * 1024,
      push: [],
      log: { kind: 'stand-in', events: 5000 },
    });
  });

  test('a provider: every 5 minutes, its org named after the orgUrl', () => {
    const raw = { ...REAL, baseUrl: `${REAL.baseUrl}/`, filter: ['service=bridge', 'tenant=a=b'] };
    expect(parseLocalFlags(raw, [], ENV)).toMatchObject({
      everyMs: 300_000,
      log: {
        kind: 'provider',
        org: 'institution.edu',
        baseUrl: 'https://logs.institution.edu',
        orgUrl: 'https://institution.edu/',
        filters: { service: 'bridge', tenant: 'a=b' },
        credential: { username: 'collector', password: 'secret' },
      },
    });
  });

  test.each([
    ['a negative number', { events: '-1' }, '--events "-1": expected a whole number from 0 to 10000000'],
    ['a fraction', { limit: '1.5' }, '--limit "1.5": expected a whole number from 1 to 1000'],
    ['an empty folder', { dataDir: '' }, '--data-dir "": expected the path of a folder'],
    [
      'a token of another kind',
      { ...REAL, fromToken: 'a b' },
      /^--from-token \(not shown\): expected a token/,
    ],
    [
      'a filter twice',
      { ...REAL, filter: ['service=idp', 'service=mail'] },
      /service=mail": expected service only once/,
    ],
    ['a filter without value', { ...REAL, filter: ['tenant='] }, /--filter "tenant=": expected a value/],
    ['plain http to afar', { ...REAL, baseUrl: 'http://logs.institution.edu' }, /--base-url .*not encrypted/],
    ['an org that no key may hold', { ...REAL, org: 'a/b' }, /^--org "a\/b": expected at most 63/],
    [
      'an orgUrl that is none',
      { ...REAL, orgUrl: 'institution' },
      /^--org-url "institution": expected a URL/,
    ],
    ['a host that cannot be an org', { ...REAL, orgUrl: 'https://[2001:db8::1]/' }, /^--org: missing/],
    ['reads too often', { ...REAL, every: '299' }, /^--every "299": expected at least 300 seconds/],
    ['a backlog for a real log', { ...REAL, events: '5' }, /^--events: expected without --base-url/],
    ['an orgUrl alone', { orgUrl: REAL.orgUrl }, /^--org-url: expected together with --base-url/],
    [
      'a filter for the stand-in',
      { filter: ['service=idp'] },
      /^--filter: expected together with --base-url/,
    ],
  ])('%s is a fault', (_, raw, expected) => {
    expect(faultsOf(raw)).toEqual([
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  });

  test('missing credentials are two faults', () => {
    expect(faultsOf(REAL, [], {})).toEqual([
      expect.stringMatching(/^ORGLOG_USERNAME \(environment\): not set/),
      expect.stringMatching(/^ORGLOG_PASSWORD \(environment\): not set/),
    ]);
  });

  test.each(['http://127.0.0.1:8080', 'https://localhost'])('%s may be read more often', (baseUrl) => {
    expect(parseLocalFlags({ ...REAL, baseUrl, every: '1' }, [], ENV).everyMs).toBe(1000);
  });
});

describe('--push', () => {
  test('stand-ins, which keep all in memory, take no log that is too large', () => {
    expect(faultsOf({ push: ['splunk'], events: '300001' })).toEqual([
      expect.stringMatching(/^--events "300001": expected at most 300000 with stand-ins of --push/),
    ]);
    expect(
      faultsOf({ push: ['splunk=https://splunk.institution.edu'], events: '300001' }, [], {
        ORGLOG_SPLUNK_TOKEN: 't',
      }),
    ).toEqual([]);
  });

  const SPLUNK = 'splunk=https://splunk.institution.edu:8088';
  const ELASTIC = 'elastic=https://elastic.institution.edu';

  test('stand-ins need no credential', () => {
    expect(parseLocalFlags({ push: ['elastic,splunk'] }, [], {}).push).toEqual([
      { name: 'elastic' },
      { name: 'splunk' },
    ]);
  });

  test.each([
    [SPLUNK, { ORGLOG_SPLUNK_TOKEN: 't' }, 'Splunk t', 'ORGLOG_SPLUNK_TOKEN'],
    [ELASTIC, { ORGLOG_ELASTIC_API_KEY: 'a2V5' }, 'ApiKey a2V5', 'ORGLOG_ELASTIC_API_KEY'],
    [
      ELASTIC,
      { ORGLOG_ELASTIC_USERNAME: 'u', ORGLOG_ELASTIC_PASSWORD: 'p' },
      'Basic dTpw',
      'ORGLOG_ELASTIC_USERNAME and ORGLOG_ELASTIC_PASSWORD',
    ],
  ])('%s has its credential from the environment', (sink, env, authorization, variables) => {
    const [name, url] = sink.split('=');
    expect(parseLocalFlags({ push: [sink] }, [], env).push).toEqual([
      { name, real: { url, authorization, variables } },
    ]);
  });

  test.each([
    ['another sink', 'kafka', {}, '--push "kafka": expected splunk or elastic, each alone (a stand-in) or'],
    ['nothing', '', {}, '--push "": expected splunk or elastic'],
    ['a sink twice', 'splunk,elastic,splunk', {}, '--push "splunk": expected splunk only once'],
    ['plain http to afar', 'splunk=http://splunk.institution.edu', {}, '--push "splunk=http:'],
    ['a login in the address', 'elastic=https://u:p@e.institution.edu', {}, '--push "elastic=https://…@e.'],
    ['no token', SPLUNK, {}, 'ORGLOG_SPLUNK_TOKEN (environment): not set'],
    [
      'a token with a space',
      SPLUNK,
      { ORGLOG_SPLUNK_TOKEN: 'Splunk x' },
      'ORGLOG_SPLUNK_TOKEN (environment): exp',
    ],
    ['no key', ELASTIC, {}, 'ORGLOG_ELASTIC_API_KEY (environment): not set'],
    [
      'half a login',
      ELASTIC,
      { ORGLOG_ELASTIC_USERNAME: 'u' },
      'ORGLOG_ELASTIC_PASSWORD (environment): not set',
    ],
    [
      'a name that no login can carry',
      ELASTIC,
      { ORGLOG_ELASTIC_USERNAME: 'u:v', ORGLOG_ELASTIC_PASSWORD: 'p' },
      'ORGLOG_ELASTIC_USERNAME (environment): expected no colon',
    ],
  ])('%s is a fault', (_, push, env, expected) => {
    expect(faultsOf({ push: [push] }, [], env)).toEqual([expect.stringContaining(expected)]);
  });
});
