import { describe, expect, it } from 'vitest';
import { LONGEST_WALK_PERIOD_HOURS, MIN_ARCHIVE_DAYS, PERIODS } from '../../infra/settings/limits.ts';
import { asText } from './intrinsics.ts';
import { all, refusesPlainHttp, without } from './one-of-everything.ts';
import { type Located, property } from './synthesize.ts';

describe('every queue', () => {
  const queues = all('AWS::SQS::Queue');
  const dead = queues.filter((one) => String(property(one, 'QueueName')).endsWith('-dead'));
  const live = queues.filter((one) => !dead.includes(one));

  it('is encrypted, refuses plain HTTP, and keeps messages for 14 days', () => {
    expect(queues).toHaveLength(8);
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
    expect(limits.get('orglog-hec')).toStrictEqual(limits.get('orglog-bulk'));
    const [visibility = 0, receives = 0] = limits.get('orglog-hec') as number[];
    for (const one of all('AWS::Lambda::Function')) {
      if (one.stack !== 'orglog-foundation') continue;
      expect(visibility).toBeGreaterThanOrEqual(6 * Number(property(one, 'Timeout')));
    }
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
        stack === 'orglog-foundation' && /S3|SNS|SQS|IAM|Secret|Lambda|Logs/.test(resource.Type),
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

  it('is, for what a walk keeps for the next, there for longer than the next needs it, and no longer', () => {
    const rules = property(bucket, 'LifecycleConfiguration', 'Rules') as Record<string, unknown>[];
    const walks = rules.find(({ Prefix }) => Prefix === 'walks/');
    expect(walks).toMatchObject({ Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 1 } });
    const days = Number(walks?.ExpirationInDays);
    // Walk, wait and next walk: each at most a period, and as much again for trouble.
    expect(days).toBeGreaterThanOrEqual((4 * LONGEST_WALK_PERIOD_HOURS) / 24);
    // The archive's own rule holds for them too, and is never the shorter one.
    expect(days).toBeLessThanOrEqual(MIN_ARCHIVE_DAYS);
    expect(rules.filter(({ Prefix }) => Prefix !== undefined)).toHaveLength(1);
  });

  it('is, for secrets, without a value in any template', () => {
    const isKey = (one: Located) => String(property(one, 'Name')).startsWith('orglog/pseudonyms/');
    const everySecret = all('AWS::SecretsManager::Secret');
    const secrets = everySecret.filter((one) => !isKey(one));
    // Logs and what they share, identity records, sinks.
    expect(secrets).toHaveLength(PERIODS.length + 2 + 1 + 1 + 2);
    // A key is made where it is kept, and in no template either.
    expect(everySecret.filter(isKey).map((one) => property(one, 'GenerateSecretString'))).toStrictEqual([
      { ExcludePunctuation: true, PasswordLength: 64 },
    ]);
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
