import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { OrglogError } from '../core/errors.ts';
import type { Archive, ObjectHead, ObjectToPut, StoredObject } from '../core/ports.ts';
import { type AwsCall, callAws, isAwsError, translateAwsError } from './aws-errors.ts';

export interface S3ArchiveOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** The bucket's: announcements name it. */
  readonly region: string;
}

/** S3 answers 409 while another write to the same key is being settled. */
const CONFLICT_ATTEMPTS = 4;
const CONFLICT_DELAY_MS = 200;

/**
 * The archive in S3. `put` is one PutObject with `If-None-Match: *`; the SDK sends the body's CRC-32 and length along,
 * so a body cut short is refused, never stored. `get` and `head` need `s3:GetObject` on the keys and `s3:ListBucket`
 * on the bucket: without the latter S3 answers 403 for an object that is not there, which is a `configuration` error.
 */
export function s3Archive({ client, bucket, region }: S3ArchiveOptions): Archive {
  const call = (permission: string, key: string): AwsCall => ({
    service: 'S3',
    permission,
    resource: `bucket ${bucket} (key ${key})`,
    ...(permission === 's3:GetObject'
      ? { alsoAllow: 's3:ListBucket (for the case that there is no such object)' }
      : {}),
  });

  return {
    bucket,
    region,

    async put(object: ObjectToPut, signal: AbortSignal): Promise<StoredObject | 'exists'> {
      const context = call('s3:PutObject', object.key);
      const [first, ...rest] = object.body;
      const body = first !== undefined && rest.length === 0 ? first : Buffer.concat(object.body);
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: object.key,
        Body: body,
        ContentLength: body.length,
        ContentType: object.contentType,
        Metadata: { ...object.metadata },
        IfNoneMatch: '*',
      });
      return await callAws(context, signal, async () => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            const { ETag } = await client.send(command, { abortSignal: signal });
            return { etag: unquoted(ETag, context), size: body.length };
          } catch (error) {
            if (isAwsError(error, 'PreconditionFailed')) return 'exists';
            if (!isAwsError(error, 'ConditionalRequestConflict')) throw error;
            if (attempt === CONFLICT_ATTEMPTS) {
              throw new OrglogError(
                'storage',
                `S3 answered 409 to ${attempt} attempts to write ${object.key} to the bucket ${bucket}: something else is writing or deleting the same key; the next run tries again`,
                { cause: error },
              );
            }
            await sleep(CONFLICT_DELAY_MS * attempt, undefined, { signal });
          }
        }
      });
    },

    async head(key: string, signal: AbortSignal): Promise<ObjectHead | undefined> {
      const context = call('s3:GetObject', key);
      return await callAws(context, signal, async () => {
        try {
          const command = new HeadObjectCommand({ Bucket: bucket, Key: key });
          const answer = await client.send(command, { abortSignal: signal });
          const size = answer.ContentLength ?? 0;
          return { etag: unquoted(answer.ETag, context), size, metadata: answer.Metadata ?? {} };
        } catch (error) {
          if (isAwsError(error, 'NotFound') || isAwsError(error, 'NoSuchKey')) return undefined;
          throw error;
        }
      });
    },

    async get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
      const context = call('s3:GetObject', key);
      const body = await callAws(context, signal, async () => {
        try {
          const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), {
            abortSignal: signal,
          });
          return answer.Body;
        } catch (error) {
          if (isAwsError(error, 'NoSuchKey')) return undefined;
          throw error;
        }
      });
      if (body === undefined) return undefined;
      if (!(body instanceof Readable))
        throw new TypeError('the S3 client runs on a handler other than Node’s');
      return chunks(body, context, signal);
    },
  };
}

async function* chunks(body: Readable, context: AwsCall, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const onAbort = () => body.destroy(translateAwsError(signal.reason, context, signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    yield* body as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw translateAwsError(error, context, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Consumers send the tag back as `If-Match`: one that is missing would make them fail much later. */
function unquoted(etag: string | undefined, context: AwsCall): string {
  const tag = etag?.replace(/^"|"$/g, '');
  if (tag) return tag;
  throw new OrglogError(
    'storage',
    `S3 answered ${context.permission} on the ${context.resource} without an ETag: the endpoint is not S3, or a proxy takes headers away`,
  );
}
