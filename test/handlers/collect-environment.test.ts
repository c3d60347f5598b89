import { describe, expect, test } from 'vitest';
import { OrglogError } from '../../functions/core/errors.ts';
import { makeHandler } from '../../functions/handlers/collect.ts';
import { collectEnvironment } from '../../functions/handlers/collect-environment.ts';
import { rejection } from '../adapters/aws-suite.ts';
import { lambdaContext } from './collect-bed.ts';

const GOOD = {
  AWS_REGION: 'eu-central-1',
  ORGLOG_ORG: 'institution',
  ORGLOG_BASE_URL: 'https://api.institution.edu',
  ORGLOG_ORG_URL: 'https://login.institution.edu/',
  ORGLOG_CURSOR_TABLE: 'orglog-cursors',
  ORGLOG_ARCHIVE_BUCKET: 'orglog-archive',
  ORGLOG_DESTINATIONS: '{"splunk":"https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-splunk"}',
  ORGLOG_SECRET_ID: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:orglog/institution-AbCdEf',
};

function faults(env: Record<string, string | undefined>): string[] {
  try {
    collectEnvironment({ ...GOOD, ...env });
  } catch (error) {
    expect(error).toBeInstanceOf(OrglogError);
    expect(error).toMatchObject({ code: 'configuration' });
    return (error as OrglogError).message.split('\n').slice(1);
  }
  return [];
}

describe('the environment of the collect function', () => {
  test('needs no more than what has no standard', () => {
    expect(collectEnvironment(GOOD)).toEqual({
      ...GOOD,
      ORGLOG_DESTINATIONS: JSON.parse(GOOD.ORGLOG_DESTINATIONS),
      ORGLOG_FILTERS: {},
      ORGLOG_LIMIT: 1000,
      ORGLOG_ON_STALE_TOKEN: 'continue',
      ORGLOG_MIN_INTERVAL_MS: 240_000,
      ORGLOG_LEASE_MS: 280_000,
      ORGLOG_PAGE_TIMEOUT_MS: 30_000,
      ORGLOG_METRICS: 'standard',
      ORGLOG_METRICS_NAMESPACE: 'orglog',
    });
  });

  test('lists every fault at once', () => {
    const env = Object.fromEntries(Object.keys(GOOD).map((name) => [name, undefined]));
    const listed = faults({ ...env, ORGLOG_LIMIT: '0', ORGLOG_FILTERS: '{', ORGLOG_ON_STALE_TOKEN: 'stop' });
    expect(listed.map((line) => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining([
        ...Object.keys(GOOD),
        'ORGLOG_LIMIT',
        'ORGLOG_FILTERS',
        'ORGLOG_ON_STALE_TOKEN',
      ]),
    );
    expect(listed).toHaveLength(11);
    expect(listed).toContain('  ORGLOG_LIMIT is "0": expected a whole number from 1 to 1000');
    expect(listed).toContain(
      '  ORGLOG_ORG is missing: expected an organization id: letters, digits and ._-, at most 63, the first a letter or digit',
    );
  });

  test.each([
    ['ORGLOG_ORG', 'institution/logs', /expected an organization id/],
    ['ORGLOG_ORG', '', /expected an organization id/],
    ['ORGLOG_BASE_URL', 'http://api.institution.edu', /not encrypted/],
    ['ORGLOG_BASE_URL', 'api.institution.edu', /not a URL/],
    ['ORGLOG_BASE_URL', 'https://api.institution.edu?org=1', /query or a hash/],
    ['ORGLOG_ORG_URL', 'login.institution.edu', /expected the absolute URL/],
    ['ORGLOG_FILTERS', '["service"]', /is "\[\\"service\\"\]": expected an object with no members but/],
    ['ORGLOG_FILTERS', '{"Service":"idp"}', /expected an object with no members but/],
    ['ORGLOG_FILTERS', '{"service":7}', /at service: expected text/],
    ['ORGLOG_FILTERS', 'service=idp', /expected JSON: an object such as/],
    ['ORGLOG_LIMIT', '1001', /expected a whole number from 1 to 1000/],
    ['ORGLOG_LIMIT', '1e3', /expected a whole number from 1 to 1000/],
    ['ORGLOG_LIMIT', '', /expected a whole number from 1 to 1000/],
    ['ORGLOG_MIN_INTERVAL_MS', '-1', /expected a whole number from 0 to/],
    ['ORGLOG_LEASE_MS', '1.5', /expected a whole number from 1000 to/],
    ['ORGLOG_METRICS', 'all', /expected standard or detailed/],
    ['ORGLOG_METRICS_NAMESPACE', 'AWS/Lambda', /expected a name such as orglog/],
    ['ORGLOG_PAGE_TIMEOUT_MS', '0', /expected a whole number from 1000 to/],
    ['ORGLOG_CURSOR_TABLE', 'a b', /expected the name of a DynamoDB table/],
    ['ORGLOG_ARCHIVE_BUCKET', 'Archive', /expected the name of an S3 bucket/],
    ['ORGLOG_DESTINATIONS', 'https://sqs/queue', /expected JSON: an object such as/],
    ['ORGLOG_DESTINATIONS', '{"splunk":"queue"}', /at splunk: expected a queue's URL/],
    ['ORGLOG_DESTINATIONS', '{"a b":"https://sqs/queue"}', /at a b: /],
    ['ORGLOG_SECRET_ID', 'two words', /expected the name or ARN of a secret/],
    ['AWS_REGION', 'Frankfurt', /expected a region/],
  ])('refuses %s %j', (name, value, expected) => {
    const listed = faults({ [name]: value });
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatch(expected);
    expect(listed[0]).toContain(`  ${name} is ${JSON.stringify(value)}`);
  });

  test.each([
    'https://collector:pass/word-4711@api.institution.edu',
    'https://collector:4711@api.institution.edu',
    'http://api.institution.edu/?password=4711',
  ])('does not repeat a credential that was put into a URL: %s', (url) => {
    const listed = faults({ ORGLOG_BASE_URL: url, ORGLOG_ORG_URL: `x ${url}` });
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.join('\n')).not.toContain('4711');
  });

  test('is read at the first invocation, and fails each', async () => {
    const handler = makeHandler({ env: {} });
    for (const _ of [1, 2]) {
      const error = await rejection(handler({}, lambdaContext()));
      expect(error.message).toMatch(/^the function's environment has 8 faults; correct the deployment:\n/);
    }
  });
});
