import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  type AwsEnvironment,
  dynamoDbOptions,
  s3Options,
  secretsManagerOptions,
  sqsOptions,
} from '../adapters/aws-clients.ts';
import { dynamoDbCursorStore } from '../adapters/dynamodb-cursor-store.ts';
import { createHttpLogSource } from '../adapters/http-log-source.ts';
import { s3Archive } from '../adapters/s3-archive.ts';
import { secretsManagerCredentials } from '../adapters/secrets-manager-credentials.ts';
import { sqsQueue } from '../adapters/sqs-queue.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createTelemetry, type Telemetry } from '../adapters/telemetry.ts';
import { gzipCompressor } from '../core/gzip.ts';
import type { RunPorts, RunSettings } from '../core/run.ts';
import { collectEnvironment } from './collect-environment.ts';

/** What a test or a benchmark may put in the place of the real thing. */
export interface CollectOverrides {
  /** Default `process.env`. */
  readonly env?: AwsEnvironment;
  readonly ports?: Partial<Pick<RunPorts, 'clock' | 'random' | 'newCompressor'>>;
  readonly settings?: Partial<Pick<RunSettings, 'batchBytes' | 'maxAttempts'>>;
  readonly telemetry?: Telemetry;
}

/** What one container keeps from one invocation to the next: clients, their connections, the credential. */
export interface CollectContainer {
  readonly ports: RunPorts;
  readonly settings: RunSettings;
  readonly telemetry: Telemetry;
}

/** About 8 MiB: large enough that S3 and the SIEM see few objects, small enough for a function's memory. */
const BATCH_BYTES = 8 * 1024 * 1024;
const MAX_ATTEMPTS = 5;

/** Reads the environment and wires the AWS adapters; nothing is called yet. @throws OrglogError `configuration` */
export function openCollectContainer(overrides: CollectOverrides): CollectContainer {
  const aws = overrides.env ?? process.env;
  const env = collectEnvironment(aws);
  const sqs = new SQSClient(sqsOptions(aws));
  const telemetry = overrides.telemetry ?? telemetryOf(env);
  const settings = {
    org: env.ORGLOG_ORG,
    baseUrl: env.ORGLOG_BASE_URL,
    orgUrl: env.ORGLOG_ORG_URL,
    filters: env.ORGLOG_FILTERS,
    limit: env.ORGLOG_LIMIT,
    onStaleToken: env.ORGLOG_ON_STALE_TOKEN,
    minIntervalMs: env.ORGLOG_MIN_INTERVAL_MS,
    leaseMs: env.ORGLOG_LEASE_MS,
    batchBytes: BATCH_BYTES,
    maxAttempts: MAX_ATTEMPTS,
    ...overrides.settings,
  };
  const ports = {
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
    source: createHttpLogSource({
      baseUrl: env.ORGLOG_BASE_URL,
      orgUrl: env.ORGLOG_ORG_URL,
      filters: env.ORGLOG_FILTERS,
      credentials: secretsManagerCredentials({
        client: new SecretsManagerClient(secretsManagerOptions(aws)),
        secretId: env.ORGLOG_SECRET_ID,
      }),
      pageTimeoutMs: env.ORGLOG_PAGE_TIMEOUT_MS,
    }),
    clock: systemClock,
    random: Math.random,
    newCompressor: gzipCompressor,
    observe: telemetry.observe,
    ...overrides.ports,
  };
  return { ports, settings, telemetry };
}

function telemetryOf(env: ReturnType<typeof collectEnvironment>): Telemetry {
  return createTelemetry({
    org: env.ORGLOG_ORG,
    level: env.ORGLOG_METRICS,
    namespace: env.ORGLOG_METRICS_NAMESPACE,
  });
}
