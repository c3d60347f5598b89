/**
 * AWS's public list prices in US dollars for us-east-1, as of early 2026, without any free tier. The inputs of the
 * cost table: put in your region's, run `npm run cost`, and docs/cost.md is yours.
 */
export const PRICES = {
  lambdaRequest: 0.2 / 1e6,
  /** arm64, first tier. */
  lambdaGbSecond: 0.0000133334,
  schedulerInvocation: 1 / 1e6,
  /** On demand; a unit is 1 KB written. */
  dynamoDbWriteUnit: 0.625 / 1e6,
  /** On demand; a unit is 4 KB read as it stands. */
  dynamoDbReadUnit: 0.125 / 1e6,
  s3Put: 0.005 / 1000,
  s3Get: 0.0004 / 1000,
  s3StandardGbMonth: 0.023,
  s3InfrequentGbMonth: 0.0125,
  s3Transition: 0.01 / 1000,
  sqsRequest: 0.4 / 1e6,
  secretMonth: 0.4,
  secretRead: 0.05 / 10_000,
  kmsRequest: 0.03 / 10_000,
  /** A key that was rotated twice or more: $1, and $1 for each of the first two rotations. */
  kmsKeyMonth: 3,
  logsGbIngested: 0.5,
  logsGbMonth: 0.03,
  /** Of the first 10,000. */
  metricMonth: 0.3,
  /** Standard resolution, one metric. */
  alarmMonth: 0.1,
  dashboardMonth: 3,
} as const;

/** What CloudWatch gives each account every month, for good; another system of the account may have used it up. */
export const FREE_TIER = { metrics: 10, alarms: 10, dashboards: 3 } as const;
