import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  type AwsEnvironment,
  dynamoDbOptions,
  operatorOptions,
  s3Options,
  secretsManagerOptions,
  sqsOptions,
} from '../aws-clients.ts';

/** As the AWS CLI takes them: a flag comes before the environment, the environment before the profile. */
export interface AwsAccess {
  /** Its credentials are then used, whatever the environment holds. */
  readonly profile?: string;
  readonly region?: string;
  readonly env: AwsEnvironment;
}

export interface OperatorClients extends Disposable {
  readonly cloudFormation: CloudFormationClient;
  readonly cloudWatch: CloudWatchClient;
  readonly dynamodb: DynamoDBClient;
  readonly lambda: LambdaClient;
  readonly s3: S3Client;
  readonly secretsManager: SecretsManagerClient;
  readonly sqs: SQSClient;
}

/** A function is run again; an audit of ten thousand objects begins anew: it waits longer for a busy service. */
const PATIENT = { maxAttempts: 6 };

/** One client per service; nothing is called yet. */
export function operatorClients(access: AwsAccess): OperatorClients {
  const env = environmentOf(access);
  const patient = { ...PATIENT, ...(access.profile !== undefined && { profile: access.profile }) };
  const clients = {
    cloudFormation: new CloudFormationClient({ ...operatorOptions(env, 'CLOUDFORMATION'), ...patient }),
    cloudWatch: new CloudWatchClient({ ...operatorOptions(env, 'CLOUDWATCH'), ...patient }),
    dynamodb: new DynamoDBClient({ ...dynamoDbOptions(env), ...patient }),
    lambda: new LambdaClient({ ...operatorOptions(env, 'LAMBDA'), ...patient }),
    s3: new S3Client({ ...s3Options(env), ...patient }),
    secretsManager: new SecretsManagerClient({ ...secretsManagerOptions(env), ...patient }),
    sqs: new SQSClient({ ...sqsOptions(env), ...patient }),
  };
  return {
    ...clients,
    [Symbol.dispose]() {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

/** What the clients are made of: flags come before it. */
export function environmentOf({ profile, region, env }: AwsAccess): AwsEnvironment {
  const named = region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
  const { AWS_ACCESS_KEY_ID: _, ...withoutKey } = env;
  return { ...(profile === undefined ? env : withoutKey), AWS_REGION: named };
}
