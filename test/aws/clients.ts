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
} from '../../functions/adapters/aws-clients.ts';

/** One client per service, made as the handlers make theirs. */
export interface AwsClients {
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  readonly secretsManager: SecretsManagerClient;
}

export function newClients(env: AwsEnvironment): AwsClients {
  return {
    dynamodb: new DynamoDBClient(dynamoDbOptions(env)),
    s3: new S3Client(s3Options(env)),
    sqs: new SQSClient(sqsOptions(env)),
    secretsManager: new SecretsManagerClient(secretsManagerOptions(env)),
  };
}
