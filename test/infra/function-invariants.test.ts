import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_BUNDLE_BYTES } from '../../bench/start-up.ts';
import { collectEnvironment } from '../../functions/handlers/collect-environment.ts';
import { elasticEnvironment, splunkEnvironment } from '../../functions/handlers/deliver-environment.ts';
import { bundleFunctions } from '../../infra/bundle-function.ts';
import { PERIODS } from '../../infra/settings/limits.ts';
import { parseSettings } from '../../infra/settings/load.ts';
import { selfSigned } from '../adapters/self-signed.ts';
import { asText } from './intrinsics.ts';
import { all, deployment, environmentOf, inStacksOf, names, without } from './one-of-everything.ts';
import { pushDestination, settings, settingsFile } from './settings-fixture.ts';
import { type Located, property, resourcesOf, synthesize } from './synthesize.ts';

describe('every function', () => {
  const functions = all('AWS::Lambda::Function');

  it('runs Node 24 on arm64, and none else is there', () => {
    expect(functions).toHaveLength(PERIODS.length + 3 + 3 + 2);
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

  it('is one small file, bundled once for all that run it', async () => {
    const keys = functions.map((one) => JSON.stringify(property(one, 'Code', 'S3Key')));
    expect(new Set(keys).size).toBe(4);
    const bundles = Object.entries(await bundleFunctions());
    expect(bundles.map(([name]) => name)).toStrictEqual([
      'collect',
      'sync-identities',
      'deliver-splunk',
      'deliver-elastic',
    ]);
    for (const [name, { folder, handler }] of bundles) {
      expect([readdirSync(folder), handler]).toStrictEqual([[`${name}.mjs`], `${name}.handler`]);
      expect(statSync(join(folder, `${name}.mjs`)).size).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
    }
  });

  it('has an alarm that tells when it fails', () => {
    const watched = all('AWS::CloudWatch::Alarm')
      .filter((one) => property(one, 'MetricName') === 'Errors')
      .map((one) => {
        const [{ Value } = { Value: '' }] = property(one, 'Dimensions') as { Value: unknown }[];
        return asText(Value, one.template);
      });
    expect(watched.sort()).toStrictEqual(
      functions.map((one) => String(property(one, 'FunctionName'))).sort(),
    );
  });
});

describe('every function that collects', () => {
  const functions = inStacksOf('collectors', 'AWS::Lambda::Function');

  it('ends before its lease, and that before the next run', () => {
    for (const one of functions) {
      const environment = environmentOf(one, collectEnvironment);
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
    const schedules = inStacksOf('collectors', 'AWS::Scheduler::Schedule');
    const configs = inStacksOf('collectors', 'AWS::Lambda::EventInvokeConfig');
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
      collectEnvironment,
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
        bulk: 'https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-bulk',
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
    expect(made('AWS::DynamoDB::Table', 'TableName')).toContain('orglog-ledger');
    const secrets = made('AWS::SecretsManager::Secret', 'Name');
    for (const name of ['shared/shared', 'sinks/hec', 'sinks/bulk'])
      expect(secrets).toContain(`orglog/${name}`);
    expect(made('AWS::KMS::Alias', 'AliasName')).toStrictEqual(['alias/orglog']);
    expect(
      made('AWS::SQS::Queue', 'QueueName').filter((name) => !String(name).endsWith('-dead')),
    ).toStrictEqual(['splunk', 'elastic', 'hec', 'bulk'].map((id) => `orglog-${id}`));
  });
});

describe('every function that delivers', () => {
  const functions = all('AWS::Lambda::Function').filter(({ stack }) => stack === 'orglog-foundation');
  const [hec, bulk] = functions as [Located, Located];

  it('starts with an environment that its own reader takes', () => {
    const common = {
      ORGLOG_ARCHIVE_BUCKET: 'orglog-archive-123456789012-eu-central-1',
      ORGLOG_LEDGER_TABLE: 'orglog-ledger',
      ORGLOG_METRICS_NAMESPACE: 'orglog',
      AWS_REGION: 'eu-central-1',
    };
    const own = (id: string) => ({
      ORGLOG_DESTINATION: id,
      ORGLOG_QUEUE_URL: `https://sqs.eu-central-1.amazonaws.com/123456789012/orglog-${id}`,
      ORGLOG_SECRET_ID: `orglog/sinks/${id}`,
      ORGLOG_SINK_URL: `https://${id}.institution.edu:8088`,
    });
    expect(environmentOf(hec, splunkEnvironment)).toMatchObject({
      ...common,
      ...own('hec'),
      ORGLOG_SPLUNK_INDEX: 'signins',
      ORGLOG_SPLUNK_HOST: 'orglog',
      ORGLOG_SPLUNK_SOURCE: 'provider',
      ORGLOG_SPLUNK_SOURCETYPE: 'orglog:event',
      ORGLOG_SPLUNK_ACKNOWLEDGE: 'true',
    });
    expect(environmentOf(bulk, elasticEnvironment)).toMatchObject({
      ...common,
      ...own('bulk'),
      ORGLOG_ELASTIC_DATA_STREAM: 'logs-orglog.events-campus',
    });
  });

  it('trusts the authority of the settings, and needs nothing else that has a default', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orglog-authority-'));
    try {
      const { cert, key } = selfSigned('splunk.institution.edu');
      writeFileSync(join(folder, 'authority.pem'), `Whose it is\r\n${cert}${key}`);
      const file = settingsFile({
        destinations: [pushDestination('a', 'splunk', { privateCa: 'authority.pem' }), pushDestination('b')],
      });
      const synthesized = await synthesize(parseSettings(JSON.stringify(file), 'settings.json', folder));
      const [a, b] = resourcesOf(synthesized, 'AWS::Lambda::Function') as [Located, Located];
      expect(environmentOf(a, splunkEnvironment).ORGLOG_SINK_CA).toBe(cert.trim());
      expect(environmentOf(b, splunkEnvironment).ORGLOG_SINK_CA).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is given what its own queue holds, and says itself what was delivered', () => {
    const mappings = all('AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(functions.length);
    const concurrency = mappings.map((one) => {
      expect(property(one, 'FunctionResponseTypes')).toStrictEqual(['ReportBatchItemFailures']);
      // SQS gives no more at once to who does not wait for a batch to fill.
      expect(property(one, 'BatchSize')).toBe(10);
      const queue = String(property(one, 'EventSourceArn')).split(':').at(-1);
      expect(String(property(one, 'FunctionName')).replace('-deliver-', '-')).toBe(queue);
      return property(one, 'ScalingConfig', 'MaximumConcurrency');
    });
    expect(concurrency).toStrictEqual([5, 2]);
  });
});

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
