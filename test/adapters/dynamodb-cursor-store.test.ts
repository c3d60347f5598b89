import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { dynamoDbOptions } from '../../functions/adapters/aws-clients.ts';
import { dynamoDbCursorStore } from '../../functions/adapters/dynamodb-cursor-store.ts';
import type { AcquireRequest, WriteRequest } from '../../functions/core/ports.ts';
import { createCursorTable, removeCursorTable } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { cursorStoreContract } from '../contracts/cursor-store.ts';
import { never, uniqueName } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { dynamodb: client } = services.clients;
const table = await createCursorTable(services);
afterAll(() => removeCursorTable(services, table));
const store = dynamoDbCursorStore({ client, table });

cursorStoreContract('DynamoDB', async () => ({ store, [Symbol.asyncDispose]: async () => {} }));

const now = Date.UTC(2026, 0, 2);

function acquireRequest(changes: Partial<AcquireRequest> = {}): AcquireRequest {
  return {
    org: uniqueName('org'),
    stream: 'logs',
    owner: 'run-1',
    now,
    expiresAt: now + 60_000,
    latestPossibleExpiry: now + 120_000,
    create: { epoch: 'e1', source: 's1', day: '2026-01-02' },
    ...changes,
  };
}

function commit({ org, stream, owner }: AcquireRequest, sequence: number): WriteRequest {
  return { org, stream, owner, expectedSequence: sequence - 1, set: { sequence }, release: false };
}

describe('DynamoDB cursor store: errors', () => {
  it('names a table that does not exist, and what to do', async () => {
    const missing = dynamoDbCursorStore({ client, table: 'orglog-not-deployed' });
    const error = await rejection(missing.acquire(acquireRequest(), never));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/table orglog-not-deployed .*deploy it, or correct its name/);
  });

  it('names the endpoint that refuses connections', async () => {
    const options = dynamoDbOptions({ ...services.env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' });
    const unreachable = new DynamoDBClient({ ...options, maxAttempts: 1 });
    const error = await rejection(
      dynamoDbCursorStore({ client: unreachable, table }).read({ org: 'o', stream: 's' }, never),
    );
    expect(error.code).toBe('storage');
    expect(error.message).toMatch(/dynamodb:GetItem on the table .*ECONNREFUSED 127\.0\.0\.1:1/);
  });

  it('refuses to read a row that was edited into nonsense', async () => {
    const org = uniqueName('org');
    const item = { org, stream: 'logs', epoch: 'e1', sequence: 'seven' };
    await client.send(new PutItemCommand({ TableName: table, Item: marshall(item) }));
    const error = await rejection(store.read({ org, stream: 'logs' }, never));
    expect(error.code).toBe('storage');
    expect(error.message).toContain(`${org}/logs`);
    expect(error.message).toContain('sequence');
  });

  describe.runIf(onLoopback)('at the wire', () => {
    it('costs two writes and nothing else to take a lease and give it up', async () => {
      const request = acquireRequest();
      await store.acquire(request, never);
      await store.write(
        { ...commit(request, 1), set: { lastReadAt: now, caughtUp: true }, release: true },
        never,
      );
      expect(await services.wire.counts()).toStrictEqual({ dynamodb: { UpdateItem: 2 } });
    });

    it('takes the lease although the answer was lost', async () => {
      await services.wire.fail('UpdateItem', { kind: 'lose-answer' });
      const acquired = await store.acquire(acquireRequest(), never);
      expect(acquired).toMatchObject({ kind: 'held', row: { lease: { owner: 'run-1' } } });
      expect(await services.wire.counts()).toStrictEqual({ dynamodb: { UpdateItem: 2 } });
    });

    it('writes once when the answer was lost: the repeat is refused, and the row tells', async () => {
      const request = acquireRequest();
      await store.acquire(request, never);
      await services.wire.fail('UpdateItem', { kind: 'lose-answer' });
      expect(await store.write(commit(request, 1), never)).toBe('refused');
      expect(await store.read(request, never)).toMatchObject({ sequence: 1, lease: { owner: 'run-1' } });
    });

    it('tries again after 500, a closed connection and half an answer', async () => {
      const request = acquireRequest();
      for (const fault of [
        { kind: 'status', status: 500 },
        { kind: 'refuse' },
        { kind: 'cut-answer' },
      ] as const) {
        await services.wire.fail('UpdateItem', fault);
        expect(await store.acquire(request, never)).toMatchObject({ kind: 'held' });
      }
    });

    it('gives up after three attempts, and says what it was doing', async () => {
      await services.wire.fail('UpdateItem', { kind: 'status', status: 503 }, 3);
      const error = await rejection(store.acquire(acquireRequest(), never));
      expect(error.code).toBe('storage');
      expect(error.message).toContain('dynamodb:UpdateItem');
      expect(error.message).toContain('503');
      expect(await services.wire.counts()).toStrictEqual({ dynamodb: { UpdateItem: 3 } });
    });

    it('says who holds the lease where the service hands the item over with its refusal', async () => {
      const body = JSON.stringify({
        __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
        Message: 'The conditional request failed',
        Item: marshall({
          org: 'o',
          stream: 'logs',
          epoch: 'e1',
          source: 's1',
          sequence: 3,
          days: { '2026-01-02': 1 },
          announced: {},
          gaps: [],
          rereads: false,
          caughtUp: true,
          paused: false,
          lease: { owner: 'run-0', expiresAt: now + 1 },
        }),
      });
      await services.wire.fail('UpdateItem', { kind: 'answer', status: 400, body });
      const lease = { owner: 'run-0', expiresAt: now + 1 };
      expect(await store.acquire(acquireRequest(), never)).toStrictEqual({ kind: 'busy', lease });
      expect(await services.wire.counts()).toStrictEqual({ dynamodb: { UpdateItem: 1 } });
    });

    it('takes a lease that is given up between the refusal and the look', async () => {
      const holder = acquireRequest();
      await store.acquire(holder, never);
      await store.write({ ...holder, set: {}, release: true }, never);
      const body = JSON.stringify({ __type: 'x#ConditionalCheckFailedException', Message: 'refused' });
      await services.wire.fail('UpdateItem', { kind: 'answer', status: 400, body });
      expect(await store.acquire({ ...holder, owner: 'run-2' }, never)).toMatchObject({ kind: 'held' });
    });

    it('does not chase leases for ever', async () => {
      const body = JSON.stringify({ __type: 'x#ConditionalCheckFailedException', Message: 'refused' });
      await services.wire.fail('UpdateItem', { kind: 'answer', status: 400, body }, 3);
      const error = await rejection(store.acquire(acquireRequest(), never));
      expect(error.code).toBe('storage');
      expect(error.message).toContain('refused 3 times');
    });

    it('lets go of a call that hangs when the signal fires', async () => {
      await services.wire.fail('UpdateItem', { kind: 'hang' });
      const controller = new AbortController();
      const pending = rejection(store.acquire(acquireRequest(), controller.signal));
      await expect.poll(() => services.wire.counts()).toStrictEqual({ dynamodb: { UpdateItem: 1 } });
      controller.abort();
      expect((await pending).code).toBe('time-out');
    });

    it('names the permission that is missing', async () => {
      const body = JSON.stringify({
        __type: 'com.amazon.coral.service#AccessDeniedException',
        Message: 'User: r is not authorized to perform: dynamodb:UpdateItem',
      });
      await services.wire.fail('UpdateItem', { kind: 'answer', status: 400, body });
      const error = await rejection(store.acquire(acquireRequest(), never));
      expect(error.code).toBe('configuration');
      expect(error.message).toMatch(/denied dynamodb:UpdateItem on the table .*allow it and .* to the role/);
    });
  });
});
