import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { OrglogError } from '../core/errors.ts';
import type { Ledger, LedgerKey, LedgerRow, ProgressRequest } from '../core/ports-delivery.ts';
import { type AwsCall, callAws, isAwsError } from './aws-errors.ts';
import { UpdateExpression } from './dynamodb-expression.ts';

export interface DynamoDbLedgerOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
}

const ledgerItem = z.object({
  destination: z.string(),
  key: z.string(),
  lines: z.int().check(z.nonnegative()),
  done: z.boolean(),
  /** Epoch seconds: DynamoDB's time to live. */
  expiresAt: z.int(),
});

/**
 * The ledger in DynamoDB: partition key `destination`, sort key `key`, both strings; time to live on `expiresAt`.
 *
 * | destination | key                                                                 | lines | done  | expiresAt  |
 * |-------------|---------------------------------------------------------------------|-------|-------|------------|
 * | splunk      | logs/org=institution/dt=2026-01-02/k3v9q-000000000041.ndjson.gz     | 12300 | false | 1769947200 |
 * | splunk      | logs/org=institution/dt=2026-01-02/k3v9q-000000000040.ndjson.gz     | 48211 | true  | 1769947100 |
 *
 * The first: a delivery under way, or one that waits for its next turn. The second: delivered.
 */
export function dynamoDbLedger({ client, table }: DynamoDbLedgerOptions): Ledger {
  const call = (operation: string): AwsCall => ({
    service: 'DynamoDB',
    permission: `dynamodb:${operation}`,
    resource: `table ${table}`,
  });

  return {
    async read(key: LedgerKey, signal: AbortSignal): Promise<LedgerRow | undefined> {
      const command = new GetItemCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true });
      const { Item } = await callAws(call('GetItem'), signal, () =>
        client.send(command, { abortSignal: signal }),
      );
      return Item === undefined ? undefined : parse(unmarshall(Item), table);
    },

    async progress(request: ProgressRequest, signal: AbortSignal): Promise<'written' | 'refused'> {
      const command = new UpdateItemCommand({
        TableName: table,
        Key: itemKey(request),
        ...progressExpression(request).input(),
      });
      return await callAws(call('UpdateItem'), signal, async () => {
        try {
          await client.send(command, { abortSignal: signal });
          return 'written';
        } catch (error) {
          if (isAwsError(error, 'ConditionalCheckFailedException')) return 'refused';
          throw error;
        }
      });
    },
  };
}

function progressExpression({ expected, lines, done, expiresAt }: ProgressRequest): UpdateExpression {
  const expression = new UpdateExpression();
  expression.set('lines', lines);
  expression.set('done', done);
  expression.set('expiresAt', Math.ceil(expiresAt / 1000));
  const asRead = `${expression.name('lines')} = ${expression.value(expected)} AND ${expression.name('done')} = ${expression.value(false)}`;
  expression.where(
    expected === 0 ? `attribute_not_exists(${expression.name('lines')}) OR (${asRead})` : asRead,
  );
  return expression;
}

function itemKey({ destination, key }: LedgerKey) {
  return marshall({ destination, key });
}

/** Operators edit items by hand when things go wrong; what they got wrong must not pass for progress. */
function parse(item: Record<string, unknown>, table: string): LedgerRow {
  const result = ledgerItem.safeParse(item);
  if (result.success) return { ...result.data, expiresAt: result.data.expiresAt * 1000 };
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new OrglogError(
    'storage',
    `The row ${String(item.destination)}/${String(item.key)} of the table ${table} cannot be read (${faults.join('; ')}): correct it, or remove it to have the object delivered anew`,
  );
}
