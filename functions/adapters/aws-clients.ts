import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';

/** The variables read here, all of them the SDK's own: `process.env` will do. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** No connection in this time: another attempt. */
const CONNECTION_TIMEOUT_MS = 2_000;

/** Small calls answer in milliseconds; one that hangs must leave time for another attempt within the run. */
const SMALL_REQUEST_TIMEOUT_MS = 10_000;

/** A batch of 8 to 16 MiB at 2 Mbit/s, the slowest line anyone should run this on. */
const OBJECT_REQUEST_TIMEOUT_MS = 60_000;

/** Options for the client of the cursor rows. */
export function dynamoDbOptions(env: AwsEnvironment): DynamoDBClientConfig {
  return common(env, 'DYNAMODB', SMALL_REQUEST_TIMEOUT_MS);
}

/** Options for the client of the archive. An endpoint of one's own has no host name per bucket. */
export function s3Options(env: AwsEnvironment): S3ClientConfig {
  const options = common(env, 'S3', OBJECT_REQUEST_TIMEOUT_MS);
  return { ...options, forcePathStyle: options.endpoint !== undefined };
}

/** Options for the client of the queues. With an endpoint of one's own, the host in a queue's URL is not called. */
export function sqsOptions(env: AwsEnvironment): SQSClientConfig {
  const options = common(env, 'SQS', SMALL_REQUEST_TIMEOUT_MS);
  return { ...options, useQueueUrlAsEndpoint: options.endpoint === undefined };
}

/** Options for the client of the credentials. */
export function secretsManagerOptions(env: AwsEnvironment): SecretsManagerClientConfig {
  return common(env, 'SECRETS_MANAGER', SMALL_REQUEST_TIMEOUT_MS);
}

/** Options for a client that only the operator's command has. */
export function operatorOptions(
  env: AwsEnvironment,
  service: 'CLOUDFORMATION' | 'CLOUDWATCH' | 'IAM' | 'LAMBDA',
): CommonOptions {
  return common(env, service, SMALL_REQUEST_TIMEOUT_MS);
}

interface CommonOptions {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  readonly retryMode: 'standard';
  readonly maxAttempts: number;
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: true;
  };
}

/**
 * Read from the environment that was handed in, so that one process can hold two (tests do); whatever is not there,
 * the SDK looks for in its own places.
 */
function common(env: AwsEnvironment, service: string, requestTimeout: number): CommonOptions {
  const region = env.AWS_REGION;
  const endpoint = env[`AWS_ENDPOINT_URL_${service}`] ?? env.AWS_ENDPOINT_URL;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const sessionToken = env.AWS_SESSION_TOKEN;
  return {
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : {
          credentials: {
            accessKeyId,
            secretAccessKey,
            ...(sessionToken === undefined ? {} : { sessionToken }),
          },
        }),
    retryMode: 'standard',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout, throwOnRequestTimeout: true },
  };
}
