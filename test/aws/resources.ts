import { CreateTableCommand, DeleteTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Services } from './services.ts';

/** A name that nothing else has, fit for every service. */
function randomName(kind: string): string {
  return `orglog-test-${kind}-${crypto.randomUUID().slice(0, 13)}`;
}

/** A table for the cursor rows, active. Returns its name. */
export async function createCursorTable({ clients }: Services): Promise<string> {
  const TableName = randomName('cursors');
  await clients.dynamodb.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'org', AttributeType: 'S' },
        { AttributeName: 'stream', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'org', KeyType: 'HASH' },
        { AttributeName: 'stream', KeyType: 'RANGE' },
      ],
    }),
  );
  await waitUntilTableExists({ client: clients.dynamodb, maxWaitTime: 60, minDelay: 1 }, { TableName });
  return TableName;
}

export async function removeCursorTable({ clients }: Services, table: string): Promise<void> {
  await clients.dynamodb.send(new DeleteTableCommand({ TableName: table }));
}

/** An empty bucket. Returns its name. */
export async function createBucket({ clients, region }: Services): Promise<string> {
  const Bucket = randomName('archive');
  const elsewhere =
    region === 'us-east-1'
      ? {}
      : { CreateBucketConfiguration: { LocationConstraint: region as 'eu-central-1' } };
  await clients.s3.send(new CreateBucketCommand({ Bucket, ...elsewhere }));
  return Bucket;
}

export interface QueuePair {
  readonly url: string;
  readonly deadLetterUrl: string;
}

export interface QueueSettings {
  /** How long a received message stays invisible, in seconds. Default 910, as the pull queues have it. */
  readonly visibilitySeconds?: number;
  /** Receives before a message is moved to the dead letters. Default 4. */
  readonly maxReceives?: number;
}

/** A standard queue with its dead-letter queue. */
export async function createQueue(
  { clients: { sqs } }: Services,
  { visibilitySeconds = 910, maxReceives = 4 }: QueueSettings = {},
): Promise<QueuePair> {
  const name = randomName('queue');
  const { QueueUrl: deadLetterUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: `${name}-dead` }),
  );
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ['QueueArn'] }),
  );
  const { QueueUrl: url = '' } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: {
        VisibilityTimeout: String(visibilitySeconds),
        MessageRetentionPeriod: String(14 * 86_400),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: Attributes?.QueueArn,
          maxReceiveCount: maxReceives,
        }),
      },
    }),
  );
  return { url, deadLetterUrl };
}

export async function removeQueue(
  { clients: { sqs } }: Services,
  { url, deadLetterUrl }: QueuePair,
): Promise<void> {
  for (const QueueUrl of [url, deadLetterUrl]) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
}

/** A secret with this value (an object as JSON, text or bytes as they are), or with none yet. Returns its name. */
export async function createSecret(
  { clients }: Services,
  value?: object | string | Uint8Array,
): Promise<string> {
  const Name = randomName('secret');
  const content = value === undefined ? {} : secretValue(value);
  await clients.secretsManager.send(new CreateSecretCommand({ Name, ...content }));
  return Name;
}

/** Rotate it. */
export async function replaceSecret(
  { clients }: Services,
  id: string,
  value: object | string,
): Promise<void> {
  await clients.secretsManager.send(new PutSecretValueCommand({ SecretId: id, ...secretValue(value) }));
}

/** A secret in an account costs money from the first day: it is removed without the usual time to think again. */
export async function removeSecret({ clients }: Services, id: string): Promise<void> {
  await clients.secretsManager.send(
    new DeleteSecretCommand({ SecretId: id, ForceDeleteWithoutRecovery: true }),
  );
}

function secretValue(value: object | string | Uint8Array) {
  if (value instanceof Uint8Array) return { SecretBinary: value };
  return { SecretString: typeof value === 'string' ? value : JSON.stringify(value) };
}
