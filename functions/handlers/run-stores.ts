import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type AwsEnvironment, dynamoDbOptions, s3Options, sqsOptions } from '../adapters/aws-clients.ts';
import { dynamoDbCursorStore } from '../adapters/dynamodb-cursor-store.ts';
import { s3Archive } from '../adapters/s3-archive.ts';
import { sqsQueue } from '../adapters/sqs-queue.ts';
import type { RunPorts } from '../core/run.ts';

/** About 8 MiB: large enough that S3 and the SIEM see few objects, small enough for a function's memory. */
export const BATCH_BYTES = 8 * 1024 * 1024;

export interface StoresEnvironment {
  readonly AWS_REGION: string;
  readonly ORGLOG_CURSOR_TABLE: string;
  readonly ORGLOG_ARCHIVE_BUCKET: string;
  /** Destination id → its queue's URL. */
  readonly ORGLOG_DESTINATIONS: Readonly<Record<string, string>>;
}

/** Where a run keeps its place and what it brings, whatever it reads; nothing is called yet. */
export function openStores(
  aws: AwsEnvironment,
  env: StoresEnvironment,
): Pick<RunPorts, 'cursors' | 'archive' | 'outboxes'> {
  const sqs = new SQSClient(sqsOptions(aws));
  return {
    cursors: dynamoDbCursorStore({
      client: new DynamoDBClient(dynamoDbOptions(aws)),
      table: env.ORGLOG_CURSOR_TABLE,
    }),
    archive: s3Archive({
      client: new S3Client(s3Options(aws)),
      bucket: env.ORGLOG_ARCHIVE_BUCKET,
      region: env.AWS_REGION,
    }),
    outboxes: new Map(
      Object.entries(env.ORGLOG_DESTINATIONS).map(([id, url]) => [id, sqsQueue({ client: sqs, url })]),
    ),
  };
}
