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
import { createDeliveryTelemetry, type DeliveryTelemetry } from '../adapters/delivery-telemetry.ts';
import { dynamoDbLedger } from '../adapters/dynamodb-ledger.ts';
import { s3Archive } from '../adapters/s3-archive.ts';
import type { SinkConnectionOptions } from '../adapters/sink-connection.ts';
import { type SecretForm, secretsManagerSinkCredentials } from '../adapters/sink-secrets.ts';
import { sqsVisibility } from '../adapters/sqs-visibility.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createDelivery, type Deliver } from '../core/delivery/deliver.ts';
import type { DeliveryPorts, DeliverySettings } from '../core/delivery/delivery.ts';
import { gunzipped } from '../core/delivery/lines.ts';
import type { Sink } from '../core/ports-delivery.ts';
import type { DeliverEnvironment } from './deliver-environment.ts';

/** What a test or a benchmark may put in the place of the real thing. */
export interface DeliverOverrides {
  /** Default `process.env`. */
  readonly env?: AwsEnvironment;
  readonly ports?: Partial<Pick<DeliveryPorts, 'clock' | 'random'>>;
  readonly settings?: Partial<Pick<DeliverySettings, 'maxAttempts'>>;
  readonly telemetry?: DeliveryTelemetry;
}

/** What one container keeps from one invocation to the next. */
export interface DeliverContainer {
  readonly deliver: Deliver;
  readonly telemetry: DeliveryTelemetry;
  readonly clock: DeliveryPorts['clock'];
}

/** A passing trouble of seconds is outlasted; a longer one is the queue's to wait out. */
const MAX_ATTEMPTS = 3;

/** Wires the AWS adapters around a sink; nothing is called yet. @throws OrglogError `configuration` */
export function openDeliverContainer(
  env: DeliverEnvironment,
  form: SecretForm,
  toSink: (connection: SinkConnectionOptions, clock: DeliveryPorts['clock']) => Sink,
  overrides: DeliverOverrides,
): DeliverContainer {
  const aws = overrides.env ?? process.env;
  const clock = overrides.ports?.clock ?? systemClock;
  const telemetry =
    overrides.telemetry ??
    createDeliveryTelemetry({
      destination: env.ORGLOG_DESTINATION,
      namespace: env.ORGLOG_METRICS_NAMESPACE,
    });
  const credentials = secretsManagerSinkCredentials({
    client: new SecretsManagerClient(secretsManagerOptions(aws)),
    secretId: env.ORGLOG_SECRET_ID,
    form,
  });
  const connection = {
    url: env.ORGLOG_SINK_URL,
    credentials,
    requestTimeoutMs: env.ORGLOG_REQUEST_TIMEOUT_MS,
    connections: env.ORGLOG_CONCURRENCY,
    ...(env.ORGLOG_SINK_CA !== undefined && { ca: env.ORGLOG_SINK_CA }),
  };
  const ports: DeliveryPorts = {
    ledger: dynamoDbLedger({
      client: new DynamoDBClient(dynamoDbOptions(aws)),
      table: env.ORGLOG_LEDGER_TABLE,
    }),
    archive: s3Archive({
      client: new S3Client(s3Options(aws)),
      bucket: env.ORGLOG_ARCHIVE_BUCKET,
      region: env.AWS_REGION,
    }),
    visibility: sqsVisibility({ client: new SQSClient(sqsOptions(aws)), url: env.ORGLOG_QUEUE_URL }),
    sink: toSink(connection, clock),
    clock,
    random: overrides.ports?.random ?? Math.random,
    unpack: gunzipped,
    observe: telemetry.observe,
  };
  const settings = {
    destination: env.ORGLOG_DESTINATION,
    concurrency: env.ORGLOG_CONCURRENCY,
    maxAttempts: MAX_ATTEMPTS,
    ...overrides.settings,
  };
  return { deliver: createDelivery(ports, settings), telemetry, clock };
}
