import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { s3Options } from '../../functions/adapters/aws-clients.ts';
import { s3Archive } from '../../functions/adapters/s3-archive.ts';
import type { ObjectToPut } from '../../functions/core/ports.ts';
import { createBucket } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { archiveContract } from '../contracts/archive.ts';
import { never, patternedBytes, uniqueName } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { region } = services;
const { s3: client } = services.clients;
const bucket = await createBucket(services);
const archive = s3Archive({ client, bucket, region });

archiveContract('S3', async () => ({ archive, [Symbol.asyncDispose]: async () => {} }));

function newObject(bytes = 1000): ObjectToPut {
  return {
    key: `logs/org=${uniqueName('institution')}/dt=2026-01-02/e1-000000000001.ndjson.gz`,
    body: [patternedBytes(bytes, 1)],
    contentType: 'application/x-ndjson',
    metadata: { count: '2' },
  };
}

async function drain(bytes: AsyncIterable<Uint8Array> | undefined): Promise<number> {
  let length = 0;
  for await (const chunk of bytes ?? []) length += chunk.length;
  return length;
}

describe('S3 archive', () => {
  it('declares NDJSON, and no encoding that a consumer would decode a second time', async () => {
    const object = newObject();
    await archive.put(object, never);
    const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: object.key }));
    expect(head.ContentType).toBe('application/x-ndjson');
    expect(head.ContentEncoding).toBeUndefined();
  });

  it('names a bucket that does not exist, and what to do', async () => {
    const missing = s3Archive({ client, bucket: uniqueName('orglog-not-deployed'), region });
    for (const call of [() => missing.put(newObject(), never), () => missing.get('some/key', never)]) {
      const error = await rejection(call());
      expect(error.code).toBe('configuration');
      expect(error.message).toMatch(/bucket orglog-not-deployed-.*deploy it, or correct its name/);
    }
  });

  it('names the endpoint that refuses connections', async () => {
    const options = s3Options({ ...services.env, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' });
    const unreachable = s3Archive({ client: new S3Client({ ...options, maxAttempts: 1 }), bucket, region });
    const error = await rejection(unreachable.put(newObject(), never));
    expect(error.code).toBe('storage');
    expect(error.message).toMatch(/s3:PutObject on the bucket .*ECONNREFUSED 127\.0\.0\.1:1/);
  });

  describe.runIf(onLoopback)('at the wire', () => {
    it('puts in one request', async () => {
      await archive.put(newObject(3 << 20), never);
      expect(await services.wire.counts()).toStrictEqual({ s3: { PutObject: 1 } });
    });

    it('finds its own object where the answer to the first attempt was lost', async () => {
      const object = newObject();
      await services.wire.fail('PutObject', { kind: 'lose-answer' });
      expect(await archive.put(object, never)).toBe('exists');
      expect(await archive.head(object.key, never)).toMatchObject({ size: 1000, metadata: object.metadata });
    });

    it('stores after 500 and after a closed connection', async () => {
      for (const fault of [{ kind: 'status', status: 500 }, { kind: 'refuse' }] as const) {
        await services.wire.fail('PutObject', fault);
        expect(await archive.put(newObject(), never)).toMatchObject({ size: 1000 });
      }
    });

    const conflict = {
      kind: 'answer',
      status: 409,
      body: '<Error><Code>ConditionalRequestConflict</Code><Message>conflict</Message></Error>',
    } as const;

    it('tries again where another write to the key is being settled', async () => {
      await services.wire.fail('PutObject', conflict, 2);
      expect(await archive.put(newObject(), never)).toMatchObject({ size: 1000 });
      expect(await services.wire.counts()).toStrictEqual({ s3: { PutObject: 3 } });
    });

    it('says so when that never ends', async () => {
      await services.wire.fail('PutObject', conflict, 4);
      const object = newObject();
      const error = await rejection(archive.put(object, never));
      expect(error.code).toBe('storage');
      expect(error.message).toContain('409');
      expect(error.message).toContain(object.key);
    });

    it.each(['put', 'head', 'get'] as const)('names the permission that %s lacks', async (operation) => {
      const body = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
      for (const name of ['PutObject', 'HeadObject', 'GetObject']) {
        await services.wire.fail(name, {
          kind: 'answer',
          status: 403,
          body: name === 'HeadObject' ? '' : body,
        });
      }
      const call =
        operation === 'put' ? archive.put(newObject(), never) : archive[operation]('some/key', never);
      const error = await rejection(call);
      expect(error.code).toBe('configuration');
      expect(error.message).toContain(operation === 'put' ? 's3:PutObject' : 's3:GetObject');
    });

    it('rejects while it streams when the answer is cut short', async () => {
      const object = newObject(100_000);
      await archive.put(object, never);
      await services.wire.fail('GetObject', { kind: 'cut-answer' });
      const bytes = await archive.get(object.key, never);
      expect((await rejection(drain(bytes))).code).toBe('storage');
      expect(await drain(await archive.get(object.key, never))).toBe(100_000);
    });

    it('rejects while it streams when the signal fires', async () => {
      const object = newObject(5 << 20);
      await archive.put(object, never);
      const controller = new AbortController();
      const read = async () => {
        for await (const _chunk of (await archive.get(object.key, controller.signal)) ?? [])
          controller.abort();
      };
      expect((await rejection(read())).code).toBe('time-out');
    });

    it('lets go of a put that hangs when the signal fires', async () => {
      await services.wire.fail('PutObject', { kind: 'hang' });
      const controller = new AbortController();
      const pending = rejection(archive.put(newObject(), controller.signal));
      await expect.poll(() => services.wire.counts()).toStrictEqual({ s3: { PutObject: 1 } });
      controller.abort();
      expect((await pending).code).toBe('time-out');
    });
  });
});
