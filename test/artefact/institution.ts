import { gunzipSync } from 'node:zlib';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { replaceSecret } from '../aws/resources.ts';
import type { Services } from '../aws/services.ts';
import { destination, organization, pushDestination, settingsFile } from '../infra/settings-fixture.ts';
import { synthesizeApp } from './assembly.ts';
import { type Deployment, deploy, type Resource } from './deployment.ts';

const ORG_URL = 'https://login.institution.edu/';
export const DESTINATIONS = ['splunk', 'elastic'] as const;
type DestinationId = (typeof DESTINATIONS)[number];

/** One organization with two destinations, pulled from unless otherwise said, deployed; and the provider that it signs in at. */
export interface Institution extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly provider: Provider;
  /** The provider's log, as the archive must hold it. */
  log(): string;
  /** Add invented events to the log, spread over the `minutes` before now. */
  produce(count: number, minutes: number): void;
  /** The provider accepts this password from now on, and no other. */
  accept(password: string): void;
  /** What an operator does after `cdk deploy`: the password into the secret. */
  store(password: string): Promise<void>;
  /** The same with what a sink knows orglog by. */
  storeSinks(destination: DestinationId, value: object): Promise<void>;
  /** Keys that a destination's queue announces, in order; they stay received. */
  announced(destination: DestinationId): Promise<string[]>;
  /** Keys of all objects in the archive, in order. */
  archived(): Promise<string[]>;
  /** The text of these objects, uncompressed, one object after the other. */
  read(keys: readonly string[]): Promise<string>;
  /** Makes the row look as if a schedule's period had passed since the last read. */
  aPeriodLater(): Promise<void>;
}

const USERNAME = 'collector';
const PERIOD_MS = 5 * 60_000;

/** @param push where to push to, by destination */
export async function deployInstitution(
  services: Services,
  push?: Readonly<Record<DestinationId, Readonly<Record<string, unknown>>>>,
): Promise<Institution> {
  await using stack = new AsyncDisposableStack();
  const credentials: { username: string; password: string; orgUrls: string[] }[] = [];
  const provider = stack.use(
    await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
      credentials,
    }),
  );
  const settings = settingsFile({
    provider: { baseUrl: provider.url },
    organizations: [organization('institution', { orgUrl: ORG_URL })],
    destinations: DESTINATIONS.map((id) =>
      push === undefined ? destination(id, { kind: id }) : pushDestination(id, id, push[id]),
    ),
  });
  const deployment = await deploy(stack.use(await synthesizeApp(settings)), services);
  const named = async (type: string, property: string, name: RegExp): Promise<string> => {
    const matching: Resource[] = [];
    for (const resource of deployment.resourcesOf(type)) {
      if (name.test(String(await deployment.property(resource, property)))) matching.push(resource);
    }
    const [one, ...more] = matching;
    if (one === undefined || more.length > 0) throw new Error(`${matching.length} ${type} match ${name}`);
    return (await deployment.made(one)).ref;
  };
  const table = await named('AWS::DynamoDB::Table', 'TableName', /-cursors$/);
  const bucket = await named('AWS::S3::Bucket', 'BucketName', /-archive-/);
  const secret = await named('AWS::SecretsManager::Secret', 'Name', /\/institution$/);
  const { dynamodb, s3, sqs } = services.clients;
  let seed = 0;
  const owned = stack.move();

  return {
    deployment,
    provider,
    log: () => `${[...provider.lines(ORG_URL)].join('\n')}\n`,
    produce(count, minutes) {
      const toMs = Date.now();
      seed += 1;
      const source = { seed, orgUrl: ORG_URL, orgDomain: 'institution.edu' };
      provider.append(ORG_URL, generateTraffic({ ...source, fromMs: toMs - minutes * 60_000, toMs, count }));
    },
    accept(password) {
      credentials.splice(0, 1, { username: USERNAME, password, orgUrls: [ORG_URL] });
    },
    store: (password) => replaceSecret(services, secret, { username: USERNAME, password }),
    storeSinks: async (destination, value) => {
      const name = new RegExp(`/sinks/${destination}$`);
      await replaceSecret(services, await named('AWS::SecretsManager::Secret', 'Name', name), value);
    },
    async announced(destination) {
      const QueueUrl = await named('AWS::SQS::Queue', 'QueueName', new RegExp(`-${destination}$`));
      const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await sqs.send(command);
      const keys = Messages.map(({ Body = '' }) => JSON.parse(Body).Records[0].s3.object.key as string);
      return keys.map(decodeURIComponent).sort();
    },
    async archived() {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map(({ Key = '' }) => Key).sort();
    },
    async read(keys) {
      const objects = keys.map(async (Key) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        const stored = Buffer.from((await Body?.transformToByteArray()) ?? '');
        return (Key.endsWith('.gz') ? gunzipSync(stored) : stored).toString('utf8');
      });
      return (await Promise.all(objects)).join('');
    },
    async aPeriodLater() {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { org: { S: 'institution' }, stream: { S: 'logs' } },
          UpdateExpression: 'SET lastReadAt = lastReadAt - :period',
          ExpressionAttributeValues: { ':period': { N: String(PERIOD_MS) } },
        }),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
