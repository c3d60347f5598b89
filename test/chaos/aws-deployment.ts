import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  createBucket,
  createCursorTable,
  createQueue,
  createSecret,
  type QueuePair,
} from '../aws/resources.ts';
import type { Services } from '../aws/services.ts';
import type { FunctionName } from './function-process.ts';
import { ELASTIC_KEY, type Sinks, SPLUNK_TOKEN } from './sinks.ts';
import { CREDENTIAL, ORGANIZATION } from './world.ts';

export const ORG = 'institution';
/** How long a function may work, in seconds: nothing in chaos is worth waiting longer for. */
export const TIMEOUTS_MS: Readonly<Record<FunctionName, number>> = {
  collect: 4500,
  sync: 4500,
  splunk: 8000,
  elastic: 8000,
};
/** Above a function's time-out: what was received is not seen by another one meanwhile, unless its time is moved on. */
const VISIBILITY_SECONDS = 12;
const LEASE_MS = 5000;

/** What the functions of one organization need, as the stacks would make it. */
export interface AwsDeployment {
  readonly table: string;
  readonly bucket: string;
  readonly queues: Readonly<Record<'siem' | 'splunk' | 'elastic', QueuePair>>;
  readonly environments: Readonly<Record<FunctionName, Readonly<Record<string, string>>>>;
}

export async function deployInto(
  services: Services,
  env: Readonly<Record<string, string>>,
  providerUrl: string,
  sinks: Sinks,
): Promise<AwsDeployment> {
  const table = await createCursorTable(services);
  const ledger = 'chaos-ledger';
  await services.clients.dynamodb.send(
    new CreateTableCommand({
      TableName: ledger,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['destination', 'key'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'destination', KeyType: 'HASH' },
        { AttributeName: 'key', KeyType: 'RANGE' },
      ],
    }),
  );
  const bucket = await createBucket(services);
  const queue = () => createQueue(services, { visibilitySeconds: VISIBILITY_SECONDS, maxReceives: 1000 });
  const queues = { siem: await queue(), splunk: await queue(), elastic: await queue() };
  const destinations = Object.entries(queues).map(([id, { url }]) => [id, url]);
  const scheduled = {
    ...env,
    ORGLOG_ORG: ORG,
    ORGLOG_BASE_URL: providerUrl,
    ORGLOG_CURSOR_TABLE: table,
    ORGLOG_ARCHIVE_BUCKET: bucket,
    ORGLOG_DESTINATIONS: JSON.stringify(Object.fromEntries(destinations)),
    ORGLOG_SECRET_ID: await createSecret(services, CREDENTIAL),
    ORGLOG_PAGE_TIMEOUT_MS: '2000',
    ORGLOG_LEASE_MS: String(LEASE_MS),
  };
  const delivering = async (sink: 'splunk' | 'elastic', secret: object) => ({
    ...env,
    ORGLOG_DESTINATION: sink,
    ORGLOG_ARCHIVE_BUCKET: bucket,
    ORGLOG_LEDGER_TABLE: ledger,
    ORGLOG_QUEUE_URL: queues[sink].url,
    ORGLOG_SECRET_ID: await createSecret(services, secret),
    ORGLOG_SINK_URL: sinks.urlOf(sink),
    ORGLOG_REQUEST_TIMEOUT_MS: '1500',
  });
  return {
    ...{ table, bucket, queues },
    environments: {
      collect: {
        ...scheduled,
        ORGLOG_ORG_URL: ORGANIZATION.orgUrl,
        ORGLOG_LIMIT: '50',
        ORGLOG_MIN_INTERVAL_MS: '0',
      },
      sync: { ...scheduled, ORGLOG_ENVIRONMENT: 'prod', ORGLOG_EVERY_MS: '5000' },
      splunk: await delivering('splunk', { token: SPLUNK_TOKEN }),
      elastic: await delivering('elastic', { apiKey: ELASTIC_KEY }),
    },
  };
}
