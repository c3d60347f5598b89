import { BOUNDS } from '../../functions/core/identities/bounds.ts';
import { partitionsFor } from '../../functions/core/identities/partitions.ts';

/** What a run of the collect function asks of whom: counted at the wire by test/infra/cost.test.ts. */
export interface RunCalls {
  /** GETs at the provider. */
  readonly pages: number;
  readonly 'dynamodb.UpdateItem': number;
  readonly 's3.PutObject': number;
  readonly 'sqs.SendMessage': number;
  readonly 'secretsmanager.GetSecretValue': number;
}

/** Every run is taken for a container's first: the others read no secret, and start faster. */
const EVERY_RUN = { 'secretsmanager.GetSecretValue': 1 } as const;

export const IDLE_RUN: RunCalls = {
  ...EVERY_RUN,
  pages: 1,
  'dynamodb.UpdateItem': 2,
  's3.PutObject': 0,
  'sqs.SendMessage': 0,
};

/** A run that finds `pages` pages' worth of events, fewer than a batch's 8 MiB: one batch. */
export function busyRun(pages: number, destinations: number): RunCalls {
  return {
    ...EVERY_RUN,
    pages,
    'dynamodb.UpdateItem': 3,
    's3.PutObject': 1,
    'sqs.SendMessage': destinations,
  };
}

/**
 * What the delivery of one object by push asks of AWS, at 1 M events a day: counted by test/artefact/deliver.test.ts. The
 * ledger is written once for each request to the sink: three of Splunk's 1 MB, four of Elastic's 2 MB, whose documents hold
 * each event twice over.
 */
export const DELIVERED_OBJECT = {
  dynamodb: { GetItem: 1, UpdateItem: 4 },
  s3: { GetObject: 1 },
} as const;

/** What a walk over identity records asks of whom, in one run: counted by test/infra/cost-identities.test.ts. */
export interface WalkCalls {
  /** GETs at the provider. */
  readonly pages: number;
  readonly 'dynamodb.GetItem': number;
  readonly 'dynamodb.UpdateItem': number;
  readonly 's3.PutObject': number;
  readonly 's3.GetObject': number;
  readonly 'sqs.SendMessage': number;
}

/** A tick at which no walk is due. */
export const IDLE_TICK = { 'dynamodb.GetItem': 1 } as const;

const RECORDS_PER_PAGE = 50;

/**
 * A walk, not the first, that finds changes for one object.
 *
 * @param listed records of all lists: each record once, and once more for each authority that has a collection of it
 */
export function walk(records: number, listed: number, destinations: number): WalkCalls {
  const pages = Math.ceil(listed / RECORDS_PER_PAGE);
  const windows = Math.ceil(pages / BOUNDS.windowPages);
  const partitions = partitionsFor(records, BOUNDS.partitionSize, 1);
  return {
    // The permissions, and how many records there are, first.
    pages: pages + 2,
    'dynamodb.GetItem': 1,
    'dynamodb.UpdateItem': windows + 4,
    // The plan; each window's parts; the snapshot; what changed.
    's3.PutObject': 1 + windows * partitions + partitions + 1,
    // The parts, and one look for another; the last snapshot; plans.
    's3.GetObject': (windows + 1) * partitions + partitions + PLANS_READ,
    'sqs.SendMessage': destinations,
  };
}

/** This walk's and the last one's. */
const PLANS_READ = 3;

/**
 * What the counted calls do not say. Measured where that is possible here, and rounded up; else a cautious guess that
 * the dashboard's cost drivers put right.
 */
export const ASSUMED = {
  /** The function's memory (org-collector.ts), in GB. */
  memoryGb: 0.5,
  /** Billed per run, starting included. Guess: half a second to start, the rest waits for the provider. */
  idleSeconds: 1.5,
  busySeconds: 3,
  /** Of an event in the archive, compressed. Invented traffic comes to 43. */
  storedBytesPerEvent: 60,
  /** Of the row, whole KB: that of an organization of 100 days. */
  writeUnitsPerUpdate: 3,
  /** Log lines of a run, and Lambda's own START, END and REPORT, each with the 26 bytes that CloudWatch adds. */
  logBytesPerRun: { standard: 1600, detailed: 2200 },
  /** Empty receives of one consumer that polls for 20 s each time, a month. */
  emptyReceives: (730 * 3600) / 20,
  /** Lambda reads a queue for a function by five pollers that wait for 20 s each. */
  emptyReceivesOfLambda: (5 * 730 * 3600) / 20,
  /** Billed for one object of a run at 1 M events a day. Guess: the sink takes half a second for each request. */
  deliverySeconds: 2,
  /** Of a delivery. Two functions at once read the secret every hour. */
  logBytesPerDelivery: 1200,
  sinkSecretReads: 2 * 730,
  /** A message is received and deleted; its object is fetched. */
  requestsPerMessage: { sqs: 2, s3: 1 },
  /** Calls to KMS: DynamoDB's table key and the secret at each run, the bucket key at each put. */
  kmsPerRun: 2,
  kmsPerPut: 1,
  /** Each sender and each reader of a queue asks once an hour (destination-queue.ts), where there is something to send. */
  kmsPerQueueMonth: 2 * 730,
  /** Records of all lists, for each record: measured where six authorities have 2.6 lists' worth together. */
  listedPerRecord: 2.6,
  /** Billed for a tick with nothing to do. Guess: most of it is starting. */
  idleTickSeconds: 1,
  /** For each page of a walk. Guess: the provider's answer, since all else is done meanwhile. */
  pageSeconds: 0.1,
  /** Of a record in what a walk keeps for the next, compressed, parts and snapshot together. */
  walkBytesPerRecord: 600,
  /** Months that it is kept (archive.ts). */
  walkMonths: 1,
  /** Of one change in the archive, compressed. */
  storedBytesPerChange: 300,
  /** Of all records, those that change in a day: in the middle of a term, mostly uses of credentials. */
  changedADay: 0.05,
  logBytesPerTick: 1300,
  /** Months that objects are kept: the example's 400 days, the first three of them in standard storage. */
  monthsStandard: 3,
  monthsInfrequent: 10,
  /** Months that log lines are kept: 90 days. */
  logMonths: 3,
} as const;
