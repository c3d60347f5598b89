import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { OperatorLedger } from '../../core/operate/ports.ts';
import type { LedgerKey } from '../../core/ports-delivery.ts';
import { callAws } from '../aws-errors.ts';
import { type DynamoDbLedgerOptions, dynamoDbLedger } from '../dynamodb-ledger.ts';

/** The ledger in DynamoDB, for an operator. Needs `dynamodb:DeleteItem` beside what a delivery needs. */
export function dynamoDbOperatorLedger(options: DynamoDbLedgerOptions): OperatorLedger {
  const { client, table } = options;
  const call = { service: 'DynamoDB', permission: 'dynamodb:DeleteItem', resource: `table ${table}` };
  return {
    ...dynamoDbLedger(options),

    async reset({ destination, key }: LedgerKey, signal: AbortSignal): Promise<void> {
      const command = new DeleteItemCommand({ TableName: table, Key: marshall({ destination, key }) });
      await callAws(call, signal, () => client.send(command, { abortSignal: signal }));
    },
  };
}
