import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CreateTableCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { operatorOptions, s3Options } from '../../functions/adapters/aws-clients.ts';
import { dynamoDbOperatorCursors } from '../../functions/adapters/operator/dynamodb-cursors.ts';
import { dynamoDbOperatorLedger } from '../../functions/adapters/operator/dynamodb-ledger.ts';
import { s3OperatorArchive } from '../../functions/adapters/operator/s3-archive.ts';
import { secretsManagerSecrets } from '../../functions/adapters/operator/secrets-manager.ts';
import { sqsOperatorQueue } from '../../functions/adapters/operator/sqs-queue.ts';
import {
  createBucket,
  createCursorTable,
  createQueue,
  createSecret,
  removeCursorTable,
  removeQueue,
  removeSecret,
} from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { operatorArchiveContract } from '../contracts/operator-archive.ts';
import { operatorCursorsContract } from '../contracts/operator-cursors.ts';
import { operatorLedgerContract } from '../contracts/operator-ledger.ts';
import { operatorQueueContract } from '../contracts/operator-queue.ts';
import { operatorSecretsContract } from '../contracts/operator-secrets.ts';
import { never, uniqueName } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { dynamodb, s3, sqs, secretsManager } = services.clients;
const cloudWatch = new CloudWatchClient(operatorOptions(services.env, 'CLOUDWATCH'));
const nothing = { [Symbol.asyncDispose]: async () => {} };
const now = Date.now;

const table = await createCursorTable(services);
afterAll(() => removeCursorTable(services, table));
const cursors = dynamoDbOperatorCursors({ client: dynamodb, table });
operatorCursorsContract('DynamoDB', async () => ({ cursors, ...nothing }));

const bucket = await createBucket(services);
const archive = s3OperatorArchive({ client: s3, bucket, region: services.region });
operatorArchiveContract('S3', async () => ({ archive, now, ...nothing }));

operatorLedgerContract('DynamoDB', async () => ({ ledger: await ledgerOfItsOwn(), ...nothing }));

async function ledgerOfItsOwn() {
  const TableName = uniqueName('orglog-test-ledger');
  await dynamodb.send(
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
  await waitUntilTableExists({ client: dynamodb, maxWaitTime: 60, minDelay: 1 }, { TableName });
  return dynamoDbOperatorLedger({ client: dynamodb, table: TableName });
}

operatorSecretsContract('Secrets Manager', async () => {
  const empty = await createSecret(services);
  return {
    ...{ secrets: secretsManagerSecrets({ client: secretsManager }), empty, now },
    missing: uniqueName('orglog/logs/elsewhere'),
    [Symbol.asyncDispose]: () => removeSecret(services, empty),
  };
});

async function makeQueue() {
  const pair = await createQueue(services, { visibilitySeconds: 60, maxReceives: 1 });
  const waitSeconds = onLoopback ? 0 : 1;
  const queue = sqsOperatorQueue({ client: sqs, cloudWatch, ...pair, waitSeconds });
  const name = pair.url.slice(pair.url.lastIndexOf('/') + 1);
  return {
    queue,
    now,
    async bury() {
      const receive = { QueueUrl: pair.url, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
      await expect
        .poll(async () => {
          await sqs.send(new ReceiveMessageCommand(receive));
          return (await queue.depth(never)).waiting;
        })
        .toBe(0);
    },
    ...(onLoopback && {
      age: (seconds: number) =>
        services.describe({
          queueAges: {
            [name]: [
              { at: Date.now() - 3_600_000, seconds: 7 },
              { at: Date.now() - 120_000, seconds: seconds - 60 },
              { at: Date.now() - 60_000, seconds },
            ],
          },
        }),
    }),
    [Symbol.asyncDispose]: () => removeQueue(services, pair),
  };
}
operatorQueueContract('SQS', makeQueue);

describe.runIf(onLoopback)('the operator’s archive, at the wire', () => {
  it('goes on from page to page', async () => {
    const client = new S3Client(s3Options(services.env));
    // As a bucket with more than a thousand objects answers.
    client.middlewareStack.add((next) => (args) => next({ ...args, input: { ...args.input, MaxKeys: 2 } }), {
      step: 'initialize',
    });
    const small = s3OperatorArchive({
      client,
      bucket: await createBucket(services),
      region: services.region,
    });
    const keys = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'];
    for (const key of keys) {
      await small.put({ key, body: [Buffer.from(key)], contentType: 'text/plain', metadata: {} }, never);
    }
    const pages: string[][] = [];
    for await (const page of small.list('a/', { after: 'a/1' }, never))
      pages.push(page.map(({ key }) => key));
    expect(pages).toStrictEqual([
      ['a/2', 'a/3'],
      ['a/4', 'a/5'],
    ]);
    client.destroy();
  });
});

describe.runIf(onLoopback)('the operator’s queue, at the wire', () => {
  const busy = {
    kind: 'answer',
    status: 400,
    body: JSON.stringify({ __type: 'com.amazonaws.sqs#UnsupportedOperation', message: 'one is running' }),
  } as const;

  it('takes a move that is under way for its own', async () => {
    await using harness = await makeQueue();
    await harness.queue.send('dead', never);
    await harness.bury();
    await services.wire.fail('StartMessageMoveTask', busy);
    const running = { kind: 'answer', status: 200, body: '{"Results":[{"Status":"RUNNING"}]}' } as const;
    await services.wire.fail('ListMessageMoveTasks', running);
    expect(await harness.queue.redrive(never)).toBe(1);
    // Refused for another reason: none is running.
    await services.wire.fail('StartMessageMoveTask', busy);
    const error = await rejection(harness.queue.redrive(never));
    expect(error.message).toMatch(/sqs:StartMessageMoveTask on the queue http.*-dead .*one is running/);
    expect(await harness.queue.standing(never)).toMatchObject({ visible: 0, dead: 1 });
  });

  it('asks CloudWatch only where something waits, and starts no task where nothing is dead', async () => {
    await using harness = await makeQueue();
    await services.wire.reset();
    await harness.queue.standing(never);
    await harness.queue.redrive(never);
    expect(await services.wire.counts()).toStrictEqual({ sqs: { GetQueueAttributes: 3 } });
  });

  it('says which right is missing', async () => {
    await using harness = await makeQueue();
    await harness.queue.send('waits', never);
    const denied = '{"__type":"AccessDeniedException","message":"no identity-based policy allows it"}';
    await services.wire.fail('GetMetricStatistics', { kind: 'answer', status: 400, body: denied });
    const error = await rejection(harness.queue.standing(never));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/CloudWatch denied cloudwatch:GetMetricStatistics on the metric/);
  });
});
