import {
  CreateTableCommand,
  DeleteTableCommand,
  PutItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { dynamoDbLedger } from '../../functions/adapters/dynamodb-ledger.ts';
import { ledgerContract } from '../contracts/ledger.ts';
import { never, uniqueName } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { dynamodb: client } = services.clients;
const table = await createLedgerTable();
afterAll(() => client.send(new DeleteTableCommand({ TableName: table })));
const ledger = dynamoDbLedger({ client, table });

ledgerContract('DynamoDB', async () => ({ ledger, [Symbol.asyncDispose]: async () => {} }));

async function createLedgerTable(): Promise<string> {
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

describe('DynamoDB ledger: errors', () => {
  const place = { destination: 'splunk', key: uniqueName('key') };

  it('names a table that does not exist, and what to do', async () => {
    const missing = dynamoDbLedger({ client, table: 'orglog-not-deployed' });
    const error = await rejection(missing.read(place, never));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/table orglog-not-deployed .*deploy it, or correct its name/);
  });

  it('takes no row for progress that was edited into nonsense', async () => {
    const item = { ...place, lines: 'seven', done: false, expiresAt: 1 };
    await client.send(new PutItemCommand({ TableName: table, Item: marshall(item) }));
    const error = await rejection(ledger.read(place, never));
    expect(error.message).toMatch(/cannot be read \(lines: /);
  });

  it('keeps the time to live in seconds', async () => {
    const row = { ...place, key: uniqueName('key'), lines: 1, done: true, expiresAt: 1_767_400_000_001 };
    await ledger.progress({ ...row, expected: 0 }, never);
    expect(await ledger.read(row, never)).toStrictEqual({ ...row, expiresAt: 1_767_400_001_000 });
  });
});
