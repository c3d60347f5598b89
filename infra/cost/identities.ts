import { SYNC_METRICS } from '../../functions/adapters/sync-telemetry.ts';
import { TICK_MINUTES } from '../identity-sync.ts';
import { IDENTITY_ALARMS } from '../settings/alarm-names.ts';
import { ASSUMED, IDLE_TICK, walk } from './counted.ts';
import { DAYS, DESTINATIONS, GB, type Line, line } from './model.ts';
import { PRICES } from './prices.ts';

const TICKS = (730 * 60) / TICK_MINUTES;
/** In trouble one more is sent. */
const METRICS_OF_HEALTH = [SYNC_METRICS.snapshotAge];
/** The credential and the key of pseudonyms: one of each for both environments of an organization. */
const SECRETS = 2;

/** What one environment's identity records add to a month's bill: walked once a day, with values redacted. */
export function identityMonth(records: number): Line[] {
  const { pages, ...calls } = walk(records, records * ASSUMED.listedPerRecord, DESTINATIONS);
  const changes = records * ASSUMED.changedADay * DAYS;
  const puts = DAYS * calls['s3.PutObject'];
  const messages = DAYS * calls['sqs.SendMessage'];
  const seconds = TICKS * ASSUMED.idleTickSeconds + DAYS * pages * ASSUMED.pageSeconds;
  const walkGb = (records * DAYS * ASSUMED.walkBytesPerRecord * ASSUMED.walkMonths) / GB;
  const feedGb = (changes * ASSUMED.storedBytesPerChange) / GB;
  const logGb = (TICKS * ASSUMED.logBytesPerTick) / GB;
  return [
    line('Custom metrics', METRICS_OF_HEALTH.length, PRICES.metricMonth),
    line('Alarms', IDENTITY_ALARMS.length, PRICES.alarmMonth),
    line('Secrets', SECRETS, PRICES.secretMonth),
    // The key at each start, the credential at each walk's.
    line('Secrets: reads', TICKS + DAYS, PRICES.secretRead),
    line('Scheduler: invocations', TICKS, PRICES.schedulerInvocation),
    line('Lambda: requests', TICKS, PRICES.lambdaRequest),
    line('Lambda: GB-seconds', seconds * ASSUMED.memoryGb, PRICES.lambdaGbSecond),
    line('Provider: GETs', DAYS * pages, 0),
    line('DynamoDB: read units', TICKS * IDLE_TICK['dynamodb.GetItem'], PRICES.dynamoDbReadUnit),
    line(
      'DynamoDB: write units',
      DAYS * calls['dynamodb.UpdateItem'] * ASSUMED.writeUnitsPerUpdate,
      PRICES.dynamoDbWriteUnit,
    ),
    line('S3: puts', puts, PRICES.s3Put),
    line(
      "S3: gets, consumers' too",
      DAYS * calls['s3.GetObject'] + messages * ASSUMED.requestsPerMessage.s3,
      PRICES.s3Get,
    ),
    line('S3: GB kept for the next walk', walkGb, PRICES.s3StandardGbMonth),
    line('S3: GB of changes, in standard storage', feedGb * ASSUMED.monthsStandard, PRICES.s3StandardGbMonth),
    line('S3: GB in infrequent access', feedGb * ASSUMED.monthsInfrequent, PRICES.s3InfrequentGbMonth),
    line('SQS: sends, receives, deletes', messages * (1 + ASSUMED.requestsPerMessage.sqs), PRICES.sqsRequest),
    line('KMS: requests', TICKS * ASSUMED.kmsPerRun + puts * ASSUMED.kmsPerPut, PRICES.kmsRequest),
    line('Logs: GB written', logGb, PRICES.logsGbIngested),
    line('Logs: GB kept', logGb * ASSUMED.logMonths, PRICES.logsGbMonth),
  ];
}
