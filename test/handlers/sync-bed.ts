import { gunzipSync } from 'node:zlib';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { dynamoDbCursorStore } from '../../functions/adapters/dynamodb-cursor-store.ts';
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts';
import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import type { CursorRow } from '../../functions/core/ports.ts';
import { makeHandler, type SyncHandler } from '../../functions/handlers/sync-identities.ts';
import type { SyncOverrides } from '../../functions/handlers/sync-identities-container.ts';
import { authoritiesOf } from '../../local/provider/identities/authorities.ts';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import {
  createBucket,
  createCursorTable,
  createQueue,
  createSecret,
  removeCursorTable,
  removeQueue,
  removeSecret,
} from '../aws/resources.ts';
import type { Services } from '../aws/services.ts';
import { login, ORG_URL } from './collect-bed.ts';

/** 64 characters, as Secrets Manager makes them. */
export const KEY = 'k3'.repeat(32);
/** Whose collections the credential's permissions name. */
export const AUTHORITY = authoritiesOf(ORG_URL).personnel;

/** All that what follows one organization's prod records stands on: the services, and a provider with records. */
export interface SyncBed extends AsyncDisposable {
  readonly org: string;
  readonly provider: Provider;
  /** What the provider accepts: its password may change while it runs. */
  readonly credential: { username: string; password: string };
  readonly bucket: string;
  readonly secretId: string;
  /** The function's environment, as deployed. */
  readonly env: Record<string, string | undefined>;
  /** A new container of the function. */
  container(overrides?: SyncOverrides): SyncHandler;
  row(): Promise<CursorRow | undefined>;
  /** Take all messages out of the queue and read the objects they announce: keys, and every line. */
  receive(): Promise<{ readonly keys: readonly string[]; readonly events: readonly FeedEvent[] }>;
}

/** @param redact names in the environment; the secret with the key is there in any case */
export async function openSyncBed(services: Services, redact: readonly string[] = []): Promise<SyncBed> {
  await using stack = new AsyncDisposableStack();
  const credential = {
    username: 'follower',
    password: 'correct horse: bättery',
    orgUrls: [],
    identities: {
      orgDomain: 'institution.edu',
      environments: { prod: { permissions: ['read'], attributeAuthorities: [AUTHORITY] } },
    },
  };
  const provider = stack.use(
    await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
      credentials: [credential],
    }),
  );
  const newSecret = async (value: object | string) =>
    stack.adopt(await createSecret(services, value), (name) => removeSecret(services, name));
  const table = stack.adopt(await createCursorTable(services), (name) => removeCursorTable(services, name));
  const org = `institution-${crypto.randomUUID().slice(0, 8)}`;
  const bucket = await createBucket(services);
  const secretId = await newSecret(login(credential));
  const { url } = stack.adopt(await createQueue(services), (pair) => removeQueue(services, pair));
  const env = {
    ...services.env,
    ORGLOG_ORG: org,
    ORGLOG_ENVIRONMENT: 'prod',
    ORGLOG_BASE_URL: provider.url,
    ORGLOG_CURSOR_TABLE: table,
    ORGLOG_ARCHIVE_BUCKET: bucket,
    ORGLOG_DESTINATIONS: JSON.stringify({ splunk: url }),
    ORGLOG_SECRET_ID: secretId,
    ORGLOG_REDACT: JSON.stringify(redact),
    ORGLOG_PSEUDONYM_SECRET_ID: await newSecret(KEY),
  };
  const { dynamodb: client, sqs, s3 } = services.clients;
  const signal = new AbortController().signal;
  const cursors = dynamoDbCursorStore({ client, table });
  const queue = sqsQueue({ client: sqs, url, waitSeconds: 0 });
  const owned = stack.move();

  return {
    ...{ org, provider, credential, bucket, secretId, env },
    container: (overrides = {}) => makeHandler({ env, ...overrides }),
    row: () => cursors.read({ org, stream: 'identities.prod' }, signal),
    async receive() {
      const keys: string[] = [];
      for (;;) {
        const received = await queue.receive(10, signal);
        if (received.length === 0) break;
        for (const { body, receipt } of received) {
          keys.push(decodeURIComponent(JSON.parse(body).Records[0].s3.object.key));
          await queue.remove(receipt, signal);
        }
      }
      const objects = keys.sort().map(async (Key) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        return gunzipSync((await Body?.transformToByteArray()) ?? '').toString('utf8');
      });
      const lines = (await Promise.all(objects)).join('').split('\n').slice(0, -1);
      return { keys, events: lines.map((line) => JSON.parse(line) as FeedEvent) };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
