import { type AttributeValue, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { OperatorCursors } from '../../core/operate/ports.ts';
import type { CursorRow, RowKey } from '../../core/ports.ts';
import { type AwsCall, callAws, isAwsError } from '../aws-errors.ts';
import { parseCursorItem } from '../cursor-item.ts';
import { type DynamoDbCursorStoreOptions, dynamoDbCursorStore } from '../dynamodb-cursor-store.ts';
import { UpdateExpression } from '../dynamodb-expression.ts';

/**
 * The cursor rows in DynamoDB, for an operator. Needs `dynamodb:Scan` beside what a run needs: a table holds a row or
 * three per organization.
 */
export function dynamoDbOperatorCursors(options: DynamoDbCursorStoreOptions): OperatorCursors {
  const { client, table } = options;
  const call = (operation: string): AwsCall => ({
    service: 'DynamoDB',
    permission: `dynamodb:${operation}`,
    resource: `table ${table}`,
  });

  return {
    ...dynamoDbCursorStore(options),

    async list(signal: AbortSignal): Promise<readonly CursorRow[]> {
      const rows: CursorRow[] = [];
      let start: Record<string, AttributeValue> | undefined;
      do {
        const command = new ScanCommand({
          TableName: table,
          ConsistentRead: true,
          ...(start === undefined ? {} : { ExclusiveStartKey: start }),
        });
        const { Items = [], LastEvaluatedKey } = await callAws(call('Scan'), signal, () =>
          client.send(command, { abortSignal: signal }),
        );
        rows.push(...Items.map((item) => parseCursorItem(unmarshall(item), table)));
        start = LastEvaluatedKey;
      } while (start !== undefined);
      return rows.sort(byOrgAndStream);
    },

    async setPaused(key: RowKey, paused: boolean, signal: AbortSignal): Promise<'written' | 'missing'> {
      const expression = new UpdateExpression();
      expression.set('paused', paused);
      expression.where(`attribute_exists(${expression.name('org')})`);
      const command = new UpdateItemCommand({
        TableName: table,
        Key: marshall({ org: key.org, stream: key.stream }),
        ...expression.input(),
      });
      return await callAws(call('UpdateItem'), signal, async () => {
        try {
          await client.send(command, { abortSignal: signal });
          return 'written';
        } catch (error) {
          if (isAwsError(error, 'ConditionalCheckFailedException')) return 'missing';
          throw error;
        }
      });
    },
  };
}

/** By code units, as keys are ordered. */
function byOrgAndStream(a: RowKey, b: RowKey): number {
  if (a.org !== b.org) return a.org < b.org ? -1 : 1;
  return a.stream < b.stream ? -1 : 1;
}
