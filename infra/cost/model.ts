import { type MetricsLevel, runMetrics } from '../../functions/adapters/run-metrics.ts';
import type { RunReport } from '../../functions/core/run.ts';
import { DESTINATION_ALARMS, ORGANIZATION_ALARMS, PUSH_ALARMS } from '../settings/alarm-names.ts';
import { ASSUMED, busyRun, DELIVERED_OBJECT, IDLE_RUN } from './counted.ts';
import { FREE_TIER, PRICES } from './prices.ts';

/** 730 hours, every five minutes. */
export const RUNS = 730 * 12;
/** Of a month. */
export const DAYS = 730 / 24;
export const GB = 1e9;
const PAGE = 1000;

/** Two destinations that are pulled from, as in the example's settings. */
export const DESTINATIONS = 2;
const ALARMS_PER_DESTINATION = DESTINATION_ALARMS.length;

export interface Case {
  readonly level: MetricsLevel;
  readonly eventsPerDay: number;
}

export interface Line {
  readonly item: string;
  readonly quantity: number;
  /** Dollars for one. */
  readonly price: number;
}

/** What one organization adds to a month's bill. */
export function organizationMonth({ level, eventsPerDay }: Case): Line[] {
  const events = eventsPerDay * DAYS;
  const run = events === 0 ? IDLE_RUN : busyRun(Math.ceil(events / RUNS / PAGE), DESTINATIONS);
  const puts = RUNS * run['s3.PutObject'];
  const messages = RUNS * run['sqs.SendMessage'];
  const storedGb = (events * ASSUMED.storedBytesPerEvent) / GB;
  const logGb = (RUNS * ASSUMED.logBytesPerRun[level]) / GB;
  const seconds = events === 0 ? ASSUMED.idleSeconds : ASSUMED.busySeconds;
  const kms = RUNS * ASSUMED.kmsPerRun + puts * ASSUMED.kmsPerPut;
  return [
    line('Custom metrics', metricsSent(level), PRICES.metricMonth),
    line('Alarms', ORGANIZATION_ALARMS.length, PRICES.alarmMonth),
    line('Secret', 1, PRICES.secretMonth),
    line('Secret: reads', RUNS * run['secretsmanager.GetSecretValue'], PRICES.secretRead),
    line('Scheduler: invocations', RUNS, PRICES.schedulerInvocation),
    line('Lambda: requests', RUNS, PRICES.lambdaRequest),
    line('Lambda: GB-seconds', RUNS * seconds * ASSUMED.memoryGb, PRICES.lambdaGbSecond),
    line('Provider: GETs', RUNS * run.pages, 0),
    line(
      'DynamoDB: write units',
      RUNS * run['dynamodb.UpdateItem'] * ASSUMED.writeUnitsPerUpdate,
      PRICES.dynamoDbWriteUnit,
    ),
    line('S3: puts', puts, PRICES.s3Put),
    line("S3: consumers' gets", messages * ASSUMED.requestsPerMessage.s3, PRICES.s3Get),
    line('S3: GB in standard storage', storedGb * ASSUMED.monthsStandard, PRICES.s3StandardGbMonth),
    line('S3: GB in infrequent access', storedGb * ASSUMED.monthsInfrequent, PRICES.s3InfrequentGbMonth),
    line('S3: objects moved there', puts, PRICES.s3Transition),
    line('SQS: sends, receives, deletes', messages * (1 + ASSUMED.requestsPerMessage.sqs), PRICES.sqsRequest),
    line(
      'KMS: requests',
      kms + (events === 0 ? 0 : DESTINATIONS * ASSUMED.kmsPerQueueMonth),
      PRICES.kmsRequest,
    ),
    line('Logs: GB written', logGb, PRICES.logsGbIngested),
    line('Logs: GB kept', logGb * ASSUMED.logMonths, PRICES.logsGbMonth),
  ];
}

/** What a deployment costs a month, however many organizations it has. */
export function sharedMonth(): Line[] {
  return [
    line('Dashboard', 1, PRICES.dashboardMonth),
    line('KMS: key', 1, PRICES.kmsKeyMonth),
    line("Destinations' alarms", DESTINATIONS * ALARMS_PER_DESTINATION, PRICES.alarmMonth),
    line('SQS: empty receives', DESTINATIONS * ASSUMED.emptyReceives, PRICES.sqsRequest),
  ];
}

/** What a destination costs more in a month where orglog pushes, and one organization has so many events. */
export function pushMonth(eventsPerDay: number): Line[] {
  const objects = eventsPerDay === 0 ? 0 : RUNS;
  const { dynamodb, s3 } = DELIVERED_OBJECT;
  const logGb = (objects * ASSUMED.logBytesPerDelivery) / GB;
  return [
    line('Custom metrics', objects === 0 ? 0 : 1, PRICES.metricMonth),
    line('Alarms', PUSH_ALARMS.length, PRICES.alarmMonth),
    line('Secret', 1, PRICES.secretMonth),
    line('Secret: reads', objects === 0 ? 0 : ASSUMED.sinkSecretReads, PRICES.secretRead),
    line(
      "SQS: Lambda's empty receives, less a consumer's",
      ASSUMED.emptyReceivesOfLambda - ASSUMED.emptyReceives,
      PRICES.sqsRequest,
    ),
    line('Lambda: requests', objects, PRICES.lambdaRequest),
    line('Lambda: GB-seconds', objects * ASSUMED.deliverySeconds * ASSUMED.memoryGb, PRICES.lambdaGbSecond),
    line('DynamoDB: read units', objects * dynamodb.GetItem, PRICES.dynamoDbReadUnit),
    line('DynamoDB: write units', objects * dynamodb.UpdateItem, PRICES.dynamoDbWriteUnit),
    line(
      "S3: gets, less a consumer's",
      objects * (s3.GetObject - ASSUMED.requestsPerMessage.s3),
      PRICES.s3Get,
    ),
    line('KMS: requests', objects * ASSUMED.kmsPerRun, PRICES.kmsRequest),
    line('Logs: GB written', logGb, PRICES.logsGbIngested),
    line('Logs: GB kept', logGb * ASSUMED.logMonths, PRICES.logsGbMonth),
  ];
}

/** Dollars a month for one of so many organizations, all in. */
export function perOrganization(one: Case, organizations: number, freeTier = false): number {
  const all = organizations * total(organizationMonth(one)) + total(sharedMonth());
  return (all - (freeTier ? free(one, organizations) : 0)) / organizations;
}

export function total(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
}

/** The dashboard draws fewer than 50 metrics (two destinations, the ten worst organizations): it is one of the free. */
function free({ level }: Case, organizations: number): number {
  const metrics = organizations * metricsSent(level);
  const alarms = organizations * ORGANIZATION_ALARMS.length + DESTINATIONS * ALARMS_PER_DESTINATION;
  return (
    Math.min(FREE_TIER.metrics, metrics) * PRICES.metricMonth +
    Math.min(FREE_TIER.alarms, alarms) * PRICES.alarmMonth +
    Math.min(FREE_TIER.dashboards, 1) * PRICES.dashboardMonth
  );
}

/** Metrics that a healthy run sends: those of trouble are paid for in the hours of trouble only. */
function metricsSent(level: MetricsLevel): number {
  return runMetrics(HEALTHY, level, false).length;
}

const HEALTHY: RunReport = {
  ...{ outcome: 'caught-up', events: 1, bytes: 1, storedBytes: 1, pages: 1, batches: 1, adopted: 0 },
  ...{ repeats: 0, announced: 1, owed: {}, gapSeconds: 0, gaps: 0, drift: 0, throttles: 0 },
  ...{ providerErrors: {}, lagSeconds: 1, sequence: 1, runMs: 1 },
};

export function line(item: string, quantity: number, price: number): Line {
  return { item, quantity, price };
}
