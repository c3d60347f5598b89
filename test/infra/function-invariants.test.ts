import { describe, expect, it } from 'vitest';
import { collectEnvironment } from '../../functions/handlers/collect-environment.ts';
import { PERIODS } from '../../infra/settings/limits.ts';
import { asText } from './intrinsics.ts';
import { all, deployment, names, without } from './one-of-everything.ts';
import { settings } from './settings-fixture.ts';
import { type Located, property, synthesize } from './synthesize.ts';

describe('every function', () => {
  const functions = all('AWS::Lambda::Function');

  it('runs Node 24 on arm64, and none else is there', () => {
    expect(functions).toHaveLength(PERIODS.length + 1);
    expect(without(functions, (one) => property(one, 'Runtime') === 'nodejs24.x')).toStrictEqual([]);
    expect(
      without(functions, (one) => JSON.stringify(property(one, 'Architectures')) === '["arm64"]'),
    ).toStrictEqual([]);
  });

  it('has a log group with retention, made beforehand', () => {
    const groups = new Map(
      all('AWS::Logs::LogGroup').map((one) => [String(property(one, 'LogGroupName')), one]),
    );
    for (const one of functions) {
      const group = groups.get(String(property(one, 'LoggingConfig', 'LogGroup')));
      expect(group?.resource.Properties.RetentionInDays).toBe(30);
    }
  });

  it('ends before its lease, and that before the next run', () => {
    for (const one of functions) {
      const environment = environmentOf(one);
      const everyMs = Number(/every (\d+) minutes/.exec(String(property(one, 'Description')))?.[1]) * 60_000;
      const timeoutMs = Number(property(one, 'Timeout')) * 1000;
      expect(timeoutMs).toBeGreaterThanOrEqual(90_000);
      expect(timeoutMs).toBeLessThanOrEqual(900_000);
      expect(environment.ORGLOG_LEASE_MS).toBeGreaterThanOrEqual(timeoutMs * 1.1);
      expect(environment.ORGLOG_LEASE_MS).toBeLessThan(everyMs);
      // Two runs may lie a minute closer than the period; the later one must not leave for that.
      expect(environment.ORGLOG_MIN_INTERVAL_MS).toBeLessThanOrEqual(everyMs - 60_000);
    }
  });

  it('is tried once, by whoever invokes it', () => {
    const schedules = all('AWS::Scheduler::Schedule');
    const configs = all('AWS::Lambda::EventInvokeConfig');
    expect([schedules.length, configs.length]).toStrictEqual([functions.length, functions.length]);
    for (const one of schedules) {
      expect(property(one, 'Target', 'RetryPolicy', 'MaximumRetryAttempts')).toBe(0);
      const every = Number(
        /^cron\(\d+\/(\d+) \* \* \* \? \*\)$/.exec(String(property(one, 'ScheduleExpression')))?.[1],
      );
      expect(property(one, 'Target', 'RetryPolicy', 'MaximumEventAgeInSeconds')).toBeLessThan(every * 60);
      expect(property(one, 'FlexibleTimeWindow', 'Mode')).toBe('OFF');
      expect(property(one, 'State')).toBe('ENABLED');
    }
    for (const one of configs) {
      expect(property(one, 'MaximumRetryAttempts')).toBe(0);
      const { org } = { org: String(property(one, 'FunctionName')) };
      const every = Number(/every-(\d+)$/.exec(org)?.[1] ?? 5);
      expect(property(one, 'MaximumEventAgeInSeconds')).toBeLessThan(every * 60);
    }
  });

  it('starts with an environment that its own reader takes', () => {
    const environment = environmentOf(
      functions.find(({ stack }) => stack === 'orglog-collectors-2') as Located,
    );
    expect(environment).toMatchObject({
      ORGLOG_ORG: 'apart',
      ORGLOG_BASE_URL: 'https://api.provider.example',
      ORGLOG_ORG_URL: 'https://apart.edu/',
      ORGLOG_FILTERS: { service: 'idp' },
      ORGLOG_LIMIT: 100,
      ORGLOG_CURSOR_TABLE: 'orglog-cursors',
      ORGLOG_ARCHIVE_BUCKET: 'orglog-archive-123456789012-eu-central-1',
      ORGLOG_DESTINATIONS: {
        splunk: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-splunk',
        elastic: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-elastic',
        hec: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-hec',
      },
      ORGLOG_SECRET_ID: 'orglog/shared/shared',
      ORGLOG_ON_STALE_TOKEN: 'halt',
      ORGLOG_MIN_INTERVAL_MS: 240_000,
      ORGLOG_LEASE_MS: 280_000,
    });
  });

  it('names what the foundation really makes', () => {
    const made = (type: string, member: string) => all(type).map((one) => property(one, member));
    expect(made('AWS::DynamoDB::Table', 'TableName')).toContain('orglog-cursors');
    expect(made('AWS::S3::Bucket', 'BucketName')).toStrictEqual(['orglog-archive-123456789012-eu-central-1']);
    expect(made('AWS::SecretsManager::Secret', 'Name')).toContain('orglog/shared/shared');
    expect(made('AWS::KMS::Alias', 'AliasName')).toStrictEqual(['alias/orglog']);
    expect(
      made('AWS::SQS::Queue', 'QueueName').filter((name) => !String(name).endsWith('-dead')),
    ).toStrictEqual(['splunk', 'elastic', 'hec'].map((id) => `orglog-${id}`));
  });
});

function environmentOf(one: Located) {
  const variables = property(one, 'Environment', 'Variables') as Record<string, unknown>;
  const texts = Object.entries(variables).map(([name, value]) => [name, asText(value, one.template)]);
  // Lambda's limit for all of them together.
  expect(Buffer.byteLength(JSON.stringify(texts))).toBeLessThan(4096);
  return collectEnvironment({ ...Object.fromEntries(texts), AWS_REGION: 'eu-central-1' });
}

describe('everything', () => {
  it('carries the tags of the settings, where it can', () => {
    const untagged = all().filter(
      ({ resource }) =>
        'Tags' in resource.Properties && !JSON.stringify(resource.Properties.Tags).includes('"orglog"'),
    );
    expect(names(untagged)).toStrictEqual([]);
    expect(
      without(
        all('AWS::Lambda::Function', 'AWS::SQS::Queue', 'AWS::DynamoDB::Table'),
        ({ resource }) => 'Tags' in resource.Properties,
      ),
    ).toStrictEqual([]);
  });

  it('tells a consumer what to paste', () => {
    const { Outputs = {} } = deployment.templates.get('orglog-foundation') ?? {};
    const said = Object.values(Outputs).map(({ Description }) => Description);
    for (const id of ['splunk', 'elastic']) {
      expect(said.filter((text) => text?.startsWith(`${id}: `))).toHaveLength(4);
    }
  });

  it('may be deployed, unless the settings are the example', async () => {
    const rulesOf = ({ templates }: typeof deployment) =>
      [...templates.values()].map(({ Rules = {} }) => Object.keys(Rules));
    expect(rulesOf(deployment).flat()).not.toContain('SettingsAreYours');
    const example = await synthesize(settings(), { isExample: true });
    for (const rules of rulesOf(example)) expect(rules).toContain('SettingsAreYours');
  });
});
