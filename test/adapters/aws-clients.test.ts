import { describe, expect, it } from 'vitest';
import {
  dynamoDbOptions,
  s3Options,
  secretsManagerOptions,
  sqsOptions,
} from '../../functions/adapters/aws-clients.ts';

describe('AWS client options', () => {
  it('leave to the SDK what the environment does not say', () => {
    for (const options of [dynamoDbOptions({}), s3Options({}), sqsOptions({}), secretsManagerOptions({})]) {
      expect(options).not.toHaveProperty('region');
      expect(options).not.toHaveProperty('endpoint');
      expect(options).not.toHaveProperty('credentials');
    }
    expect(s3Options({}).forcePathStyle).toBe(false);
    expect(sqsOptions({}).useQueueUrlAsEndpoint).toBe(true);
  });

  it('go to the endpoint of the service before the endpoint of all', () => {
    const env = { AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://secrets' };
    expect(secretsManagerOptions(env).endpoint).toBe('http://secrets');
    expect(dynamoDbOptions(env).endpoint).toBe('http://all');
  });

  it('call the endpoint itself: no host per bucket, and not the host in a queue’s URL', () => {
    expect(s3Options({ AWS_ENDPOINT_URL_S3: 'http://s3' }).forcePathStyle).toBe(true);
    expect(sqsOptions({ AWS_ENDPOINT_URL_SQS: 'http://sqs' }).useQueueUrlAsEndpoint).toBe(false);
  });

  it('take credentials whole or not at all', () => {
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session' };
    expect(dynamoDbOptions(env).credentials).toStrictEqual({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'session',
    });
    expect(dynamoDbOptions({ AWS_ACCESS_KEY_ID: 'id' })).not.toHaveProperty('credentials');
  });

  it('fail a request that takes too long, rather than warn of it', () => {
    for (const options of [dynamoDbOptions({}), s3Options({}), sqsOptions({}), secretsManagerOptions({})]) {
      expect(options.requestHandler).toMatchObject({
        throwOnRequestTimeout: true,
        requestTimeout: expect.any(Number),
      });
    }
  });
});
