import { describe, expect, test } from 'vitest';
import type { OrglogError } from '../../functions/core/errors.ts';
import { syncIdentitiesEnvironment } from '../../functions/handlers/sync-identities-environment.ts';

const GOOD = {
  AWS_REGION: 'eu-central-1',
  ORGLOG_ORG: 'institution',
  ORGLOG_ENVIRONMENT: 'prod',
  ORGLOG_BASE_URL: 'https://api.institution.edu',
  ORGLOG_CURSOR_TABLE: 'orglog-cursors',
  ORGLOG_ARCHIVE_BUCKET: 'orglog-archive',
  ORGLOG_DESTINATIONS: '{"splunk":"https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-splunk"}',
  ORGLOG_SECRET_ID: 'orglog/identities/institution',
};

function faults(env: Record<string, string | undefined>): string[] {
  try {
    syncIdentitiesEnvironment({ ...GOOD, ...env });
  } catch (error) {
    expect(error).toMatchObject({ code: 'configuration' });
    return (error as OrglogError).message.split('\n').slice(1);
  }
  return [];
}

describe('the environment of the sync function', () => {
  test('needs no more than what has no standard', () => {
    expect(syncIdentitiesEnvironment(GOOD)).toEqual({
      ...GOOD,
      ORGLOG_DESTINATIONS: JSON.parse(GOOD.ORGLOG_DESTINATIONS),
      ORGLOG_EVERY_MS: 86_400_000,
      ORGLOG_REDACT: [],
      ORGLOG_SNAPSHOTS: 'first',
      ORGLOG_UID_FIELD: 'serviceUid',
      ORGLOG_LEASE_MS: 840_000,
      ORGLOG_PAGE_TIMEOUT_MS: 30_000,
      ORGLOG_METRICS_NAMESPACE: 'orglog',
    });
  });

  test('lists every fault at once', () => {
    const env = Object.fromEntries(Object.keys(GOOD).map((name) => [name, undefined]));
    const listed = faults({ ...env, ORGLOG_AUTHORITIES: 'all', ORGLOG_SNAPSHOTS: 'never' });
    expect(listed.map((line) => line.trim().split(' ')[0]).sort()).toEqual(
      [...Object.keys(GOOD), 'ORGLOG_AUTHORITIES', 'ORGLOG_SNAPSHOTS'].sort(),
    );
  });

  test.each([
    ['ORGLOG_ENVIRONMENT', 'stage', /expected test or prod/],
    ['ORGLOG_EVERY_MS', '604800001', /expected a whole number from 1000 to 604800000/],
    ['ORGLOG_AUTHORITIES', '{"a":1}', /expected a list of names/],
    ['ORGLOG_AUTHORITIES', '[""]', /at 0: expected a name/],
    ['ORGLOG_REDACT', '[7]', /at 0: expected a name/],
    ['ORGLOG_PSEUDONYM_SECRET_ID', 'two words', /expected the name or ARN of a secret/],
    ['ORGLOG_UID_FIELD', 'service uid', /expected the name of a field/],
    ['ORGLOG_LEASE_MS', '0', /expected a whole number from 1000 to/],
  ])('refuses %s %j', (name, value, expected) => {
    const listed = faults({ [name]: value });
    expect(listed).toHaveLength(1);
    expect(listed[0]).toContain(`${name} is `);
    expect(listed[0]).toMatch(expected);
  });

  test('redacts nothing without a key', () => {
    expect(faults({ ORGLOG_REDACT: '["mail"]' })).toEqual([
      '  ORGLOG_PSEUDONYM_SECRET_ID is missing: expected the name or ARN of a secret with the key of pseudonyms, which ORGLOG_REDACT needs',
    ]);
    expect(faults({ ORGLOG_REDACT: '["mail"]', ORGLOG_PSEUDONYM_SECRET_ID: 'orglog/pseudonyms/a' })).toEqual(
      [],
    );
  });
});
