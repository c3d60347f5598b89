import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { OrglogError } from '../core/errors.ts';
import type {
  Acquired,
  AcquireRequest,
  CursorRow,
  CursorStore,
  RowKey,
  WriteRequest,
} from '../core/ports.ts';
import { type AwsCall, callAws, isAwsError } from './aws-errors.ts';
import { parseCursorItem } from './cursor-item.ts';
import { UpdateExpression } from './dynamodb-expression.ts';

export interface DynamoDbCursorStoreOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
}

type Item = Record<string, AttributeValue>;

/** Each is lost to a lease that was given up between the refusal and the look: three in a row do not happen. */
const ACQUIRE_ATTEMPTS = 3;

/**
 * The cursor rows in DynamoDB: partition key `org` (a role may be confined to its own by `dynamodb:LeadingKeys`), sort
 * key `stream`, both strings. Acquire and write are one `UpdateItem` each, so an idle run costs two writes.
 *
 * | org         | stream | epoch | source | sequence | token      | days                               | announced   | lease                               | gaps | rereads | newestEventAt | lastReadAt    | caughtUp | paused |
 * |-------------|--------|-------|--------|----------|------------|------------------------------------|-------------|-------------------------------------|------|---------|---------------|---------------|----------|--------|
 * | institution | logs   | k3v9q | 9f86d0 | 0        |            | {"2026-01-02":1}                   | {}          | {owner: "run-1", expiresAt: 176…}   | []   | false   |               |               | false    | false  |
 * | institution | logs   | k3v9q | 9f86d0 | 41       | 019b7a1c-… | {"2026-01-02":1,"2026-01-03":30}   | {splunk:41} |                                     | []   | false   | 1767400000000 | 1767400290000 | true     | false  |
 *
 * The first: a run that has only just created its row. The second: at rest after 41 batches, none owed.
 */
export function dynamoDbCursorStore({ client, table }: DynamoDbCursorStoreOptions): CursorStore {
  const call = (operation: string): AwsCall => ({
    service: 'DynamoDB',
    permission: `dynamodb:${operation}`,
    resource: `table ${table}`,
  });

  async function read(key: RowKey, signal: AbortSignal): Promise<CursorRow | undefined> {
    const command = new GetItemCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true });
    const { Item } = await callAws(call('GetItem'), signal, () =>
      client.send(command, { abortSignal: signal }),
    );
    return Item === undefined ? undefined : row(Item, table);
  }

  /** The row, or what stands in the way: DynamoDB hands the item over with its refusal, other services do not. */
  async function tryAcquire(
    request: AcquireRequest,
    signal: AbortSignal,
  ): Promise<CursorRow | { refused: Item | undefined }> {
    const command = new UpdateItemCommand({
      TableName: table,
      Key: itemKey(request),
      ...acquireExpression(request).input(),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return await callAws(call('UpdateItem'), signal, async () => {
      try {
        const { Attributes = {} } = await client.send(command, { abortSignal: signal });
        return row(Attributes, table);
      } catch (error) {
        if (isAwsError<{ Item?: Item }>(error, 'ConditionalCheckFailedException'))
          return { refused: error.Item };
        throw error;
      }
    });
  }

  return {
    read,

    async acquire(request: AcquireRequest, signal: AbortSignal): Promise<Acquired> {
      for (let attempt = 1; attempt <= ACQUIRE_ATTEMPTS; attempt += 1) {
        const result = await tryAcquire(request, signal);
        if (!('refused' in result)) return { kind: 'held', row: result };
        const standing =
          result.refused === undefined ? await read(request, signal) : row(result.refused, table);
        if (standing?.lease !== undefined) return { kind: 'busy', lease: standing.lease };
      }
      throw new OrglogError(
        'storage',
        `The lease on ${request.org}/${request.stream} in the table ${table} was refused ${ACQUIRE_ATTEMPTS} times, each time by a lease that was gone at the next look: the next run tries again`,
      );
    },

    async write(request: WriteRequest, signal: AbortSignal): Promise<'written' | 'refused'> {
      const command = new UpdateItemCommand({
        TableName: table,
        Key: itemKey(request),
        ...writeExpression(request).input(),
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

function acquireExpression(request: AcquireRequest): UpdateExpression {
  const { epoch, source, day } = request.create;
  const expression = new UpdateExpression();
  expression.set('lease', { owner: request.owner, expiresAt: request.expiresAt });
  const initial = {
    epoch,
    source,
    sequence: 0,
    days: { [day]: 1 },
    announced: {},
    gaps: [],
    rereads: false,
    caughtUp: false,
    paused: false,
  };
  for (const [name, value] of Object.entries(initial)) expression.setIfAbsent(name, value);
  const lease = expression.name('lease');
  const owner = `${lease}.${expression.name('owner')}`;
  const expiresAt = `${lease}.${expression.name('expiresAt')}`;
  expression.where(
    [
      `attribute_not_exists(${lease})`,
      `${owner} = ${expression.value(request.owner)}`,
      `${expiresAt} <= ${expression.value(request.now)}`,
      `${expiresAt} > ${expression.value(request.latestPossibleExpiry)}`,
    ].join(' OR '),
  );
  return expression;
}

function writeExpression(request: WriteRequest): UpdateExpression {
  const expression = new UpdateExpression();
  for (const [name, value] of Object.entries(request.set)) {
    if (value === undefined) expression.remove(name);
    else expression.set(name, value);
  }
  const lease = expression.name('lease');
  expression.where(`${lease}.${expression.name('owner')} = ${expression.value(request.owner)}`);
  if (request.expectedSequence !== undefined) {
    expression.where(`${expression.name('sequence')} = ${expression.value(request.expectedSequence)}`);
  }
  if (request.release) expression.remove('lease');
  return expression;
}

function itemKey({ org, stream }: RowKey): Item {
  return marshall({ org, stream });
}

function row(item: Item, table: string): CursorRow {
  return parseCursorItem(unmarshall(item), table);
}
