import { describe, expect, it } from 'vitest';
import { syncIdentitiesEnvironment } from '../../functions/handlers/sync-identities-environment.ts';
import { all, environmentOf, inStacksOf } from './one-of-everything.ts';
import { type Located, property } from './synthesize.ts';

describe('every function that follows identity records', () => {
  const functions = inStacksOf('identities', 'AWS::Lambda::Function');
  const [test, prod, names] = functions as [Located, Located, Located];

  it('ends before its lease, and that before the next tick', () => {
    expect(functions).toHaveLength(3);
    for (const one of functions) {
      const timeoutMs = Number(property(one, 'Timeout')) * 1000;
      const { ORGLOG_LEASE_MS: leaseMs } = environmentOf(one, syncIdentitiesEnvironment);
      expect(leaseMs).toBeGreaterThanOrEqual(timeoutMs * 1.1);
      expect(leaseMs).toBeLessThan(15 * 60_000);
    }
  });

  it('is tried once, by whoever invokes it', () => {
    const schedules = inStacksOf('identities', 'AWS::Scheduler::Schedule');
    const configs = inStacksOf('identities', 'AWS::Lambda::EventInvokeConfig');
    expect([schedules.length, configs.length]).toStrictEqual([3, 3]);
    for (const one of schedules) {
      expect(property(one, 'ScheduleExpression')).toMatch(/^cron\(\d+\/15 \* \* \* \? \*\)$/);
      expect(property(one, 'FlexibleTimeWindow', 'Mode')).toBe('OFF');
      expect(property(one, 'State')).toBe('ENABLED');
      expect(property(one, 'Target', 'RetryPolicy')).toStrictEqual({
        MaximumEventAgeInSeconds: 840,
        MaximumRetryAttempts: 0,
      });
    }
    for (const one of configs) {
      expect(property(one, 'MaximumRetryAttempts')).toBe(0);
      expect(property(one, 'MaximumEventAgeInSeconds')).toBe(840);
    }
  });

  it('starts with an environment that its own reader takes', () => {
    const common = {
      ORGLOG_BASE_URL: 'https://api.provider.example',
      ORGLOG_CURSOR_TABLE: 'orglog-cursors',
      ORGLOG_ARCHIVE_BUCKET: 'orglog-archive-123456789012-eu-central-1',
      ORGLOG_LEASE_MS: 840_000,
      ORGLOG_METRICS_NAMESPACE: 'orglog',
    };
    for (const [one, environment] of [
      [test, 'test'],
      [prod, 'prod'],
    ] as const) {
      const read = environmentOf(one, syncIdentitiesEnvironment);
      expect(read).toMatchObject({
        ...common,
        ORGLOG_ORG: 'people',
        ORGLOG_ENVIRONMENT: environment,
        ORGLOG_SECRET_ID: 'orglog/identities/people',
        ORGLOG_EVERY_MS: 43_200_000,
        ORGLOG_AUTHORITIES: ['https://people.edu/hr'],
        ORGLOG_REDACT: ['mail'],
        ORGLOG_PSEUDONYM_SECRET_ID: 'orglog/pseudonyms/people',
        ORGLOG_SNAPSHOTS: 'every',
        ORGLOG_UID_FIELD: 'tenantUid',
      });
      expect(Object.keys(read.ORGLOG_DESTINATIONS)).toStrictEqual(['splunk', 'elastic', 'hec', 'bulk']);
      expect(property(one, 'FunctionName')).toBe(`orglog-sync-${environment}-people`);
    }
    const standard = environmentOf(names, syncIdentitiesEnvironment);
    expect(standard).toMatchObject({
      ...common,
      ORGLOG_ORG: 'names',
      ORGLOG_SECRET_ID: 'orglog/shared/shared',
      ORGLOG_EVERY_MS: 86_400_000,
      ORGLOG_REDACT: [],
      ORGLOG_SNAPSHOTS: 'first',
      ORGLOG_UID_FIELD: 'serviceUid',
    });
    for (const unset of ['ORGLOG_AUTHORITIES', 'ORGLOG_PSEUDONYM_SECRET_ID']) {
      expect(standard).not.toHaveProperty(unset);
    }
  });

  it('finds the secrets that it names', () => {
    const made = all('AWS::SecretsManager::Secret').map((one) => property(one, 'Name'));
    for (const name of ['identities/people', 'pseudonyms/people', 'shared/shared']) {
      expect(made).toContain(`orglog/${name}`);
    }
    expect(made).not.toContain('orglog/identities/names');
    expect(made).not.toContain('orglog/pseudonyms/names');
  });
});
