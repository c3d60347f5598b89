import { describe, expect, it } from 'vitest';
import { collectEnvironment } from '../../functions/handlers/collect-environment.ts';
import { PERIODS } from '../../infra/settings/limits.ts';
import { asText } from './intrinsics.ts';
import { destination, organization, settings } from './settings-fixture.ts';
import { type Located, property, resourcesOf, synthesize } from './synthesize.ts';

const FASTER = { allowFasterThanRecommended: 'agreed with the provider on 2026-01-02' };

const deployment = await synthesize(
  settings({
    organizations: [
      ...PERIODS.map((everyMinutes) => organization(`every-${everyMinutes}`, { everyMinutes, ...FASTER })),
      organization('apart', {
        stack: 2,
        filters: { service: 'idp' },
        limit: 100,
        onStaleToken: 'halt',
        credential: 'shared',
      }),
    ],
    destinations: [
      destination('splunk'),
      destination('elastic', { kind: 'elastic' }),
      destination('hec', { delivery: 'push' }),
    ],
    retention: { archiveDays: 400, logDays: 30 },
    tags: { application: 'orglog' },
  }),
);
const all = (...types: string[]) => resourcesOf(deployment, ...types);

/** The few words by which a failed expectation is understood. */
const names = (located: Located[]) => located.map(({ stack, id }) => `${stack} ${id}`);
const without = (located: Located[], holds: (one: Located) => boolean) =>
  names(located.filter((one) => !holds(one)));

/** What a policy of this type denies over plain HTTP on this resource. */
function refusesPlainHttp(one: Located, policyType: string, member: string): boolean {
  return all(policyType).some((policy) => {
    const attached = [policy.resource.Properties[member]].flat().map((target) => JSON.stringify(target));
    if (policy.stack !== one.stack || !attached.includes(JSON.stringify({ Ref: one.id }))) return false;
    const document = policy.resource.Properties.PolicyDocument as { Statement: Record<string, unknown>[] };
    return document.Statement.some(
      ({ Effect, Condition, Principal }) =>
        Effect === 'Deny' &&
        ['*', '{"AWS":"*"}'].includes(
          typeof Principal === 'string' ? Principal : JSON.stringify(Principal),
        ) &&
        JSON.stringify(Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
    );
  });
}

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

describe('every queue', () => {
  const queues = all('AWS::SQS::Queue');
  const dead = queues.filter((one) => String(property(one, 'QueueName')).endsWith('-dead'));
  const live = queues.filter((one) => !dead.includes(one));

  it('is encrypted, refuses plain HTTP, and keeps messages for 14 days', () => {
    expect(queues).toHaveLength(6);
    expect(without(queues, (one) => String(property(one, 'KmsMasterKeyId')).includes(':key/'))).toStrictEqual(
      [],
    );
    expect(without(queues, (one) => refusesPlainHttp(one, 'AWS::SQS::QueuePolicy', 'Queues'))).toStrictEqual(
      [],
    );
    expect(without(queues, (one) => property(one, 'MessageRetentionPeriod') === 14 * 86_400)).toStrictEqual(
      [],
    );
  });

  it('has dead letters of its own, which take no others', () => {
    for (const one of live) {
      const name = property(one, 'QueueName');
      const target = asText(property(one, 'RedrivePolicy', 'deadLetterTargetArn'), one.template);
      expect(target).toBe(`arn:aws:sqs:eu-central-1:123456789012:${name}-dead`);
    }
    for (const one of dead) {
      const [source, ...others] = property(one, 'RedriveAllowPolicy', 'sourceQueueArns') as unknown[];
      expect(others).toStrictEqual([]);
      expect(`${asText(source, one.template)}-dead`).toMatch(new RegExp(`:${property(one, 'QueueName')}$`));
    }
  });

  it('has the limits of its delivery', () => {
    const limits = new Map(
      live.map((one) => [
        property(one, 'QueueName'),
        [property(one, 'VisibilityTimeout'), property(one, 'RedrivePolicy', 'maxReceiveCount')],
      ]),
    );
    expect(limits.get('orglog-splunk')).toStrictEqual([910, 4]);
    expect(limits.get('orglog-elastic')).toStrictEqual([910, 4]);
    const [visibility = 0, receives = 0] = limits.get('orglog-hec') as number[];
    expect(visibility).toBeGreaterThanOrEqual(6 * 150);
    // Four days of a sink that is down, at a quarter of an hour each.
    expect(receives * 15 * 60).toBeGreaterThanOrEqual(4 * 86_400);
    expect(receives).toBeLessThanOrEqual(1000);
  });
});

describe('what holds something', () => {
  const tables = all('AWS::DynamoDB::Table');
  const [bucket] = all('AWS::S3::Bucket') as [Located];

  it('outlives its stack, but not a first deployment that failed', () => {
    for (const one of [...tables, bucket, ...all('AWS::KMS::Key')]) {
      expect([one.resource.DeletionPolicy, one.resource.UpdateReplacePolicy]).toStrictEqual([
        'RetainExceptOnCreate',
        'Retain',
      ]);
    }
    // Protected tables could not be taken back: nothing that could fail comes after them.
    const waitingFor = tables.map(
      ({ resource }) => new Set((resource as unknown as { DependsOn: string[] }).DependsOn),
    );
    const others = all().filter(
      ({ stack, resource }) =>
        stack === 'orglog-foundation' && /S3|SNS|SQS|ManagedPolicy|Secret/.test(resource.Type),
    );
    for (const waits of waitingFor) expect(others.filter(({ id }) => !waits.has(id))).toStrictEqual([]);
  });

  it('is encrypted with the one key, which is rotated', () => {
    expect(all('AWS::KMS::Key').map((one) => property(one, 'EnableKeyRotation'))).toStrictEqual([true]);
    expect(without(tables, (one) => property(one, 'SSESpecification', 'SSEType') === 'KMS')).toStrictEqual(
      [],
    );
    expect(
      without(all('AWS::SecretsManager::Secret'), (one) => property(one, 'KmsKeyId') === 'alias/orglog'),
    ).toStrictEqual([]);
    expect(
      without(all('AWS::SNS::Topic'), (one) => String(property(one, 'KmsMasterKeyId')).includes(':key/')),
    ).toStrictEqual([]);
    const [rule] = property(bucket, 'BucketEncryption', 'ServerSideEncryptionConfiguration') as Record<
      string,
      unknown
    >[];
    expect(rule).toMatchObject({
      BucketKeyEnabled: true,
      ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' },
    });
  });

  it('is, for tables, on demand, recoverable, protected, and forgetful where it should be', () => {
    expect(tables.map((one) => property(one, 'TableName'))).toStrictEqual([
      'orglog-cursors',
      'orglog-ledger',
    ]);
    for (const one of tables) {
      expect(property(one, 'BillingMode')).toBe('PAY_PER_REQUEST');
      expect(property(one, 'PointInTimeRecoverySpecification', 'PointInTimeRecoveryEnabled')).toBe(true);
      expect(property(one, 'DeletionProtectionEnabled')).toBe(true);
    }
    expect(tables.map((one) => property(one, 'TimeToLiveSpecification', 'AttributeName'))).toStrictEqual([
      undefined,
      'expiresAt',
    ]);
  });

  it('is, for the archive, closed to the public and to plain HTTP, versioned, and tidied up', () => {
    expect(Object.values(property(bucket, 'PublicAccessBlockConfiguration') as object)).toStrictEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(refusesPlainHttp(bucket, 'AWS::S3::BucketPolicy', 'Bucket')).toBe(true);
    expect(property(bucket, 'VersioningConfiguration', 'Status')).toBe('Enabled');
    expect(property(bucket, 'NotificationConfiguration')).toBeUndefined();
    expect(property(bucket, 'LifecycleConfiguration', 'Rules', 0)).toMatchObject({
      ExpirationInDays: 400,
      Transitions: [{ StorageClass: 'STANDARD_IA', TransitionInDays: 90 }],
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    });
  });

  it('is, for secrets, without a value in any template', () => {
    const secrets = all('AWS::SecretsManager::Secret');
    expect(secrets).toHaveLength(PERIODS.length + 1);
    for (const { resource } of secrets) {
      expect(Object.keys(resource.Properties).sort()).toStrictEqual([
        'Description',
        'KmsKeyId',
        'Name',
        'Tags',
      ]);
    }
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
