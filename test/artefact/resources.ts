import { randomBytes } from 'node:crypto';
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { AwsClients } from '../aws/clients.ts';
import type { Made } from './resolve.ts';

/** How one type of resource is made on the services of test/aws. */
interface Maker {
  /** Properties that it is made with. Any that is neither here nor below is an error. */
  readonly applied: readonly string[];
  /** Properties that the services have nothing like: encryption, backups, access, what happens in days. */
  readonly withoutCounterpart: readonly string[];
  make(properties: unknown, clients: AwsClients): Promise<Made>;
}

function maker<S extends z.ZodObject>(
  shape: S,
  withoutCounterpart: readonly string[],
  make: (properties: z.output<S>, clients: AwsClients) => Promise<Made>,
): Maker {
  return {
    applied: Object.keys(shape.shape),
    withoutCounterpart,
    make: (properties, clients) => make(shape.parse(properties), clients),
  };
}

const table = z.object({
  TableName: z.string(),
  BillingMode: z.enum(['PAY_PER_REQUEST']),
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
});

const bucket = z.object({ BucketName: z.string() });

const queue = z.object({
  QueueName: z.string(),
  MessageRetentionPeriod: z.int().optional(),
  VisibilityTimeout: z.int().optional(),
  RedrivePolicy: z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.int() }).optional(),
  RedriveAllowPolicy: z.object({}).loose().optional(),
});

const secret = z.object({
  Name: z.string(),
  Description: z.string().optional(),
  GenerateSecretString: z
    .strictObject({ PasswordLength: z.int(), ExcludePunctuation: z.literal(true) })
    .optional(),
});

/** Type of resource → how it is made. */
export const MAKERS: Readonly<Record<string, Maker>> = {
  'AWS::DynamoDB::Table': maker(
    table,
    [
      'DeletionProtectionEnabled',
      'PointInTimeRecoverySpecification',
      'SSESpecification',
      'Tags',
      'TimeToLiveSpecification',
    ],
    async (properties, { dynamodb }) => {
      const { TableDescription } = await dynamodb.send(new CreateTableCommand(properties));
      const { TableName } = properties;
      await waitUntilTableExists({ client: dynamodb, maxWaitTime: 60, minDelay: 1 }, { TableName });
      return { ref: TableName, attributes: { Arn: TableDescription?.TableArn ?? '' } };
    },
  ),
  'AWS::S3::Bucket': maker(
    bucket,
    [
      'BucketEncryption',
      'LifecycleConfiguration',
      'OwnershipControls',
      'PublicAccessBlockConfiguration',
      'Tags',
      'VersioningConfiguration',
    ],
    async ({ BucketName }, { s3 }) => {
      await s3.send(new CreateBucketCommand({ Bucket: BucketName }));
      return { ref: BucketName, attributes: { Arn: `arn:aws:s3:::${BucketName}` } };
    },
  ),
  'AWS::SQS::Queue': maker(
    queue,
    ['KmsDataKeyReusePeriodSeconds', 'KmsMasterKeyId', 'Tags'],
    async ({ QueueName, ...attributes }, { sqs }) => {
      const Attributes = Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        ]),
      );
      const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
      const made = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
      return { ref: QueueUrl, attributes: { Arn: made.Attributes?.QueueArn ?? '', QueueName } };
    },
  ),
  // Without a value, unless one is to be generated: an operator stores it afterwards.
  'AWS::SecretsManager::Secret': maker(
    secret,
    ['KmsKeyId', 'Tags'],
    async ({ GenerateSecretString: generated, ...properties }, { secretsManager }) => {
      const SecretString =
        generated && randomBytes(generated.PasswordLength).toString('hex').slice(0, generated.PasswordLength);
      const command = new CreateSecretCommand({ ...properties, ...(generated && { SecretString }) });
      const { ARN = '' } = await secretsManager.send(command);
      return { ref: ARN, attributes: {} };
    },
  ),
};
