import { gunzipSync } from 'node:zlib';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { dynamoDbCursorStore } from '../../functions/adapters/dynamodb-cursor-store.ts';
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts';
import type { Clock, CursorRow } from '../../functions/core/ports.ts';
import { type CollectHandler, makeHandler } from '../../functions/handlers/collect.ts';
import type { CollectOverrides } from '../../functions/handlers/collect-container.ts';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import {
  createBucket,
  createCursorTable,
  createQueue,
  createSecret,
  type QueuePair,
  removeCursorTable,
  removeQueue,
  removeSecret,
} from '../aws/resources.ts';
import type { Services } from '../aws/services.ts';

export const ORG_URL = 'https://login.institution.edu/';
export const DESTINATIONS = ['elastic', 'splunk'] as const;

interface Message {
  readonly body: string;
  readonly key: string;
}

/** All that one organization's collect function stands on: the services, and a provider with a log. */
export interface Bed extends AsyncDisposable {
  readonly org: string;
  readonly provider: Provider;
  /** What the provider accepts: may be replaced while it runs. */
  readonly credentials: { username: string; password: string; orgUrls: string[] }[];
  readonly bucket: string;
  readonly secretId: string;
  readonly queues: Readonly<Record<(typeof DESTINATIONS)[number], QueuePair>>;
  /** The function's environment, as deployed. */
  readonly env: Record<string, string | undefined>;
  /** A new container of the function. */
  container(overrides?: CollectOverrides): CollectHandler;
  /** Add invented events to the log, spread over the `minutes` before now. */
  produce(count: number, minutes?: number): void;
  row(): Promise<CursorRow | undefined>;
  /** Take all messages out of a destination's queue, in the order of their keys. */
  receive(destination: (typeof DESTINATIONS)[number]): Promise<Message[]>;
  /** An object's lines, uncompressed. */
  read(key: string): Promise<string>;
}

/** @param table for the row, where there is one already: each bed has an organization of its own */
export async function openBed(services: Services, table?: string): Promise<Bed> {
  await using stack = new AsyncDisposableStack();
  const credentials = [{ username: 'collector', password: 'correct horse: bättery', orgUrls: [ORG_URL] }];
  const provider = stack.use(
    await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
      credentials,
    }),
  );
  const ownTable = async () =>
    stack.adopt(await createCursorTable(services), (name) => removeCursorTable(services, name));
  const rows = table ?? (await ownTable());
  const org = `institution-${crypto.randomUUID().slice(0, 8)}`;
  const bucket = await createBucket(services);
  const secretId = stack.adopt(await createSecret(services, login(credentials[0])), (name) =>
    removeSecret(services, name),
  );
  const newQueue = async () =>
    stack.adopt(await createQueue(services), (pair) => removeQueue(services, pair));
  const queues = { elastic: await newQueue(), splunk: await newQueue() };
  const env = {
    ...services.env,
    ORGLOG_ORG: org,
    ORGLOG_BASE_URL: provider.url,
    ORGLOG_ORG_URL: ORG_URL,
    ORGLOG_CURSOR_TABLE: rows,
    ORGLOG_ARCHIVE_BUCKET: bucket,
    ORGLOG_DESTINATIONS: JSON.stringify({ elastic: queues.elastic.url, splunk: queues.splunk.url }),
    ORGLOG_SECRET_ID: secretId,
    // A run of a test follows at once upon the one before.
    ORGLOG_MIN_INTERVAL_MS: '0',
  };
  const { dynamodb: client, sqs, s3 } = services.clients;
  const signal = new AbortController().signal;
  const cursors = dynamoDbCursorStore({ client, table: rows });
  let seed = 0;
  const owned = stack.move();

  return {
    ...{ org, provider, credentials, bucket, secretId, queues, env },
    container: (overrides = {}) => makeHandler({ env, ...overrides }),
    produce(count, minutes = 50) {
      const toMs = Date.now();
      seed += 1;
      const source = { seed, orgUrl: ORG_URL, orgDomain: 'institution.edu' };
      provider.append(ORG_URL, generateTraffic({ ...source, fromMs: toMs - minutes * 60_000, toMs, count }));
    },
    row: () => cursors.read({ org, stream: 'logs' }, signal),
    async receive(destination) {
      const queue = sqsQueue({ client: sqs, url: queues[destination].url, waitSeconds: 0 });
      const messages: Message[] = [];
      for (;;) {
        const received = await queue.receive(10, signal);
        if (received.length === 0) break;
        for (const { body, receipt } of received) {
          messages.push({ body, key: JSON.parse(body).Records[0].s3.object.key });
          await queue.remove(receipt, signal);
        }
      }
      return messages.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async read(key) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: decodeURIComponent(key) }));
      return gunzipSync((await Body?.transformToByteArray()) ?? '').toString('utf8');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Does not wait before it asks again. */
export const IMPATIENT: Clock = { now: Date.now, sleep: async () => {} };

/** A secret's value. */
export function login({ username = '', password = '' } = {}): { username: string; password: string } {
  return { username, password };
}

/** What Lambda hands over besides the event. */
export function lambdaContext(remainingMs = 240_000) {
  const endsAt = Date.now() + remainingMs;
  return { awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => endsAt - Date.now() };
}

/** What was written, as CloudWatch would get it: by `captureOutput` (capture-output.ts). */
export function parseOutput(written: readonly string[]) {
  const records = written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    metrics: records.filter((record) => '_aws' in record),
    lines: records.filter((record) => !('_aws' in record)),
  };
}
