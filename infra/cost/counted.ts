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
 * ledger is written once for each request to the sink: three of Splunk's 1 MB, fewer of Elastic's 5 MB.
 */
export const DELIVERED_OBJECT = {
  dynamodb: { GetItem: 1, UpdateItem: 3 },
  s3: { GetObject: 1 },
} as const;

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
  /** Months that objects are kept: the example's 400 days, the first three of them in standard storage. */
  monthsStandard: 3,
  monthsInfrequent: 10,
  /** Months that log lines are kept: 90 days. */
  logMonths: 3,
} as const;
