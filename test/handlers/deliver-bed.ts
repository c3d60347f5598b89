import { gzipSync } from 'node:zlib';
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { dynamoDbLedger } from '../../functions/adapters/dynamodb-ledger.ts';
import { s3Archive } from '../../functions/adapters/s3-archive.ts';
import { notification } from '../../functions/core/notification.ts';
import type { LedgerRow } from '../../functions/core/ports-delivery.ts';
import type { DeliverHandler } from '../../functions/handlers/deliver-messages.ts';
import { createBucket, createQueue, createSecret, removeQueue, removeSecret } from '../aws/resources.ts';
import type { Services } from '../aws/services.ts';
import { never, uniqueName } from '../contracts/support.ts';
import { lambdaContext } from './collect-bed.ts';

export const DESTINATION = 'siem';
const EVENT_TIME = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** All that one deliver function stands on, but for its sink. */
export interface DeliverBed extends AsyncDisposable {
  readonly secretId: string;
  /** The function's environment, as deployed, but for what is the sink's. */
  readonly env: Record<string, string | undefined>;
  /** Archive an object of these lines and announce it. Default folder: the sign-in log's. */
  announce(lines: readonly string[], folder?: string): Promise<string>;
  /** Send any message. */
  send(body: string): Promise<void>;
  /** What Lambda does: receives up to ten messages, invokes, and removes those that are not reported as failed. */
  invoke(
    handler: DeliverHandler,
    remainingMs?: number,
  ): Promise<SQSBatchResponse & { readonly received: readonly SQSRecord[] }>;
  waiting(): Promise<{ visible: number; hidden: number }>;
  row(key: string): Promise<LedgerRow | undefined>;
  /** The lines under `rejected/`. */
  rejected(): Promise<{ readonly key: string; readonly entry: Record<string, unknown> }[]>;
}

/** @param secret of the sink @param table of the ledger: it outlives the bed */
export async function openDeliverBed(services: Services, secret: object, table: string): Promise<DeliverBed> {
  await using stack = new AsyncDisposableStack();
  const { sqs, s3, dynamodb: client } = services.clients;
  const bucket = await createBucket(services);
  const secretId = stack.adopt(await createSecret(services, secret), (name) => removeSecret(services, name));
  const { url } = stack.adopt(
    await createQueue(services, { visibilitySeconds: 900, maxReceives: 400 }),
    (pair) => removeQueue(services, pair),
  );
  const archive = s3Archive({ client: s3, bucket, region: services.region });
  const ledger = dynamoDbLedger({ client, table });
  const send = async (body: string) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body }));
  };
  const epoch = uniqueName('e').replaceAll('-', '');
  let sequence = 0;
  const owned = stack.move();

  return {
    secretId,
    env: {
      ...services.env,
      ORGLOG_DESTINATION: DESTINATION,
      ORGLOG_ARCHIVE_BUCKET: bucket,
      ORGLOG_LEDGER_TABLE: table,
      ORGLOG_QUEUE_URL: url,
      ORGLOG_SECRET_ID: secretId,
    },
    send,
    async announce(lines, folder = 'logs/org=institution') {
      sequence += 1;
      const key = `${folder}/dt=2026-01-02/${epoch}-${String(sequence).padStart(12, '0')}.ndjson.gz`;
      const body = [gzipSync(lines.map((line) => `${line}\n`).join(''))];
      const stored = await archive.put(
        { key, body, contentType: 'application/x-ndjson', metadata: {} },
        never,
      );
      if (stored === 'exists') throw new Error(`${key} was there already`);
      await send(notification({ ...stored, bucket, region: services.region, key, eventTime: EVENT_TIME }));
      return key;
    },
    async invoke(handler, remainingMs = 150_000) {
      const received = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['ApproximateReceiveCount'],
        }),
      );
      const Records = (received.Messages ?? []).map(
        ({ MessageId = '', Body = '', ReceiptHandle = '', Attributes = {} }) =>
          ({
            messageId: MessageId,
            body: Body,
            receiptHandle: ReceiptHandle,
            attributes: { ApproximateReceiveCount: Attributes.ApproximateReceiveCount ?? '1' },
          }) as SQSRecord,
      );
      const response = await handler({ Records } satisfies SQSEvent, lambdaContext(remainingMs));
      const failed = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { messageId, receiptHandle } of Records) {
        if (failed.has(messageId)) continue;
        await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
      }
      return { ...response, received: Records };
    },
    async waiting() {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: url,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return {
        visible: Number(Attributes.ApproximateNumberOfMessages),
        hidden: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
      };
    },
    row: (key) => ledger.read({ destination: DESTINATION, key }, never),
    async rejected() {
      const { Contents = [] } = await s3.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: 'rejected/' }),
      );
      return Promise.all(
        Contents.map(async ({ Key = '' }) => {
          const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
          return { key: Key, entry: JSON.parse((await Body?.transformToString()) ?? '') };
        }),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A table for the ledger, active. Returns its name. */
export async function createLedgerTable({ clients: { dynamodb: client } }: Services): Promise<string> {
  const TableName = uniqueName('orglog-test-ledger');
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'destination', AttributeType: 'S' },
        { AttributeName: 'key', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'destination', KeyType: 'HASH' },
        { AttributeName: 'key', KeyType: 'RANGE' },
      ],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
  return TableName;
}
