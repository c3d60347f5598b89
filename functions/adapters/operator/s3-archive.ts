import { type _Object, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ListedObject, OperatorArchive } from '../../core/operate/ports.ts';
import { callAws } from '../aws-errors.ts';
import { type S3ArchiveOptions, s3Archive } from '../s3-archive.ts';

/** The archive in S3, for an operator. Needs `s3:ListBucket` on the bucket, as `head` and `get` do. */
export function s3OperatorArchive(options: S3ArchiveOptions): OperatorArchive {
  const { client, bucket } = options;
  return {
    ...s3Archive(options),

    async *list(
      prefix: string,
      { after }: { readonly after?: string },
      signal: AbortSignal,
    ): AsyncGenerator<readonly ListedObject[]> {
      const resource = `bucket ${bucket} (keys under ${prefix})`;
      const call = { service: 'S3', permission: 's3:ListBucket', resource };
      let token: string | undefined;
      do {
        const command = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          ...(after === undefined ? {} : { StartAfter: after }),
          ...(token === undefined ? {} : { ContinuationToken: token }),
        });
        const { Contents = [], NextContinuationToken } = await callAws(call, signal, () =>
          client.send(command, { abortSignal: signal }),
        );
        if (Contents.length > 0) yield Contents.map(listed);
        token = NextContinuationToken;
      } while (token !== undefined);
    },
  };
}

function listed({ Key = '', Size = 0, LastModified }: _Object): ListedObject {
  return { key: Key, size: Size, storedAt: LastModified?.getTime() ?? 0 };
}
