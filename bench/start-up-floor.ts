/** What no handler on these services can do without: the SDK's clients and the commands that the adapters send. */
export { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
export { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
export { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
export { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
