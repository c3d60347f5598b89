import { gunzipSync } from 'node:zlib';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import { fromToken, toToken } from '../../functions/core/identities/position.ts';
import { fullGrant } from '../../local/provider/identities/full-grant.ts';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import { replaceSecret } from '../aws/resources.ts';
import type { Services } from '../aws/services.ts';
import { destination, followed, settingsFile } from '../infra/settings-fixture.ts';
import { synthesizeApp } from './assembly.ts';
import { type Deployment, deploy } from './deployment.ts';

export const ORG_URL = 'https://login.institution.edu/';
const USERNAME = 'follower';
const DAY_MS = 86_400_000;

/** One organization whose prod records are followed, deployed with one destination; and the provider that has them. */
export interface FollowedInstitution extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly provider: Provider;
  /** The provider accepts this password from now on, and no other. */
  accept(password: string): void;
  /** What an operator does after `cdk deploy`: the password into the secret. */
  store(password: string): Promise<void>;
  /** Keys that the queue announces, in order; they stay received. */
  announced(): Promise<string[]>;
  /** Keys of all objects under a prefix of the archive, in order. */
  archived(prefix: string): Promise<string[]>;
  /** The lines of these objects, one object after the other. */
  read(keys: readonly string[]): Promise<FeedEvent[]>;
  /** Makes the row look as if the last walk had begun a day earlier than it did. */
  aDayLater(): Promise<void>;
}

/** @param redact names in the settings */
export async function deployFollowed(
  services: Services,
  redact: readonly string[],
): Promise<FollowedInstitution> {
  await using stack = new AsyncDisposableStack();
  const organization = { orgUrl: ORG_URL, orgDomain: 'institution.edu' };
  const credential = { username: USERNAME, password: '', orgUrls: [], identities: fullGrant(organization) };
  const provider = stack.use(
    await startProvider({ file: ':memory:', organizations: [organization], credentials: [credential] }),
  );
  const settings = settingsFile({
    provider: { baseUrl: provider.url },
    organizations: [followed('institution', { redact }, { orgUrl: ORG_URL })],
    destinations: [destination('splunk')],
  });
  const deployment = await deploy(stack.use(await synthesizeApp(settings)), services);
  const named = async (type: string, property: string, name: RegExp): Promise<string> => {
    for (const resource of deployment.resourcesOf(type)) {
      if (!name.test(String(await deployment.property(resource, property)))) continue;
      return (await deployment.made(resource)).ref;
    }
    throw new Error(`no ${type} matches ${name}`);
  };
  const table = await named('AWS::DynamoDB::Table', 'TableName', /-cursors$/);
  const bucket = await named('AWS::S3::Bucket', 'BucketName', /-archive-/);
  const secret = await named('AWS::SecretsManager::Secret', 'Name', /\/identities\/institution$/);
  const queueUrl = await named('AWS::SQS::Queue', 'QueueName', /-splunk$/);
  const { dynamodb, s3, sqs } = services.clients;
  const owned = stack.move();

  return {
    deployment,
    provider,
    accept(password) {
      credential.password = password;
    },
    store: (password) => replaceSecret(services, secret, { username: USERNAME, password }),
    async announced() {
      const command = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await sqs.send(command);
      const keys = Messages.map(({ Body = '' }) => JSON.parse(Body).Records[0].s3.object.key as string);
      return keys.map(decodeURIComponent).sort();
    },
    async archived(prefix) {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return Contents.map(({ Key = '' }) => Key).sort();
    },
    async read(keys) {
      const objects = keys.map(async (Key) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        return gunzipSync((await Body?.transformToByteArray()) ?? '').toString('utf8');
      });
      const lines = (await Promise.all(objects)).join('').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as FeedEvent);
    },
    async aDayLater() {
      const Key = { org: { S: 'institution' }, stream: { S: 'identities.prod' } };
      const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
      const { phase, last } = fromToken(Item?.token?.S);
      if (phase !== 'idle' || last === undefined) throw new Error('a walk is under way, or none was yet');
      const earlier = { ...last, startedAt: last.startedAt - DAY_MS };
      await dynamodb.send(
        new UpdateItemCommand({
          ...{ TableName: table, Key, UpdateExpression: 'SET #token = :earlier' },
          ExpressionAttributeNames: { '#token': 'token' },
          ExpressionAttributeValues: { ':earlier': { S: toToken({ phase, last: earlier }) } },
        }),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
