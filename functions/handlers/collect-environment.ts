import * as z from 'zod/mini';
import { parseBaseUrl } from '../adapters/base-url.ts';
import { METRICS_LEVELS } from '../adapters/run-metrics.ts';
import { asOrglogError } from '../core/errors.ts';
import { SAFE_ID } from '../core/keys.ts';
import type { LogFilters } from '../core/run.ts';
import { type Environment, json, parseEnvironment, text, wholeNumber } from './environment.ts';

const AN_ID = 'letters, digits and ._-, at most 63, the first a letter or digit';

/** Query parameters of `/logs/v1/orgLogs` (logs-v1.md); their values are the provider's to judge. */
function filters(): z.ZodMiniType<LogFilters> {
  const value = z.exactOptional(text(/./, 'expected text'));
  return z.strictObject(
    { service: value, logType: value, logSubtype: value, tenant: value },
    'expected an object with no members but service, logType, logSubtype, tenant',
  );
}

function destinations() {
  return z.record(
    z.string().check(z.regex(SAFE_ID)),
    z.url({ protocol: /^https?$/, error: "expected a queue's URL" }),
    `expected an object of destination ids (${AN_ID}) and queue URLs`,
  );
}

function baseUrl() {
  return z.string("expected the provider's base URL").check(({ value, issues }) => {
    try {
      parseBaseUrl(value);
    } catch (error) {
      const { message } = asOrglogError(error, 'configuration');
      issues.push({ code: 'custom', message, input: value });
    }
  });
}

/** Built when the environment is read, once per container. */
const variables = z.lazy(() =>
  z.object({
    /** The organization's id: names its cursor row, its keys and its metrics. */
    ORGLOG_ORG: text(SAFE_ID, `expected an organization id: ${AN_ID}`),
    /** The provider: https, or http to this machine. */
    ORGLOG_BASE_URL: baseUrl(),
    /** Exactly as the provider has it, trailing slash and all. */
    ORGLOG_ORG_URL: z.url('expected the absolute URL that the provider knows the organization by'),
    ORGLOG_FILTERS: z.prefault(json(filters(), 'an object such as {"service":"bridge"}'), '{}'),
    /** Events a page (logs-v1.md, `limit`). */
    ORGLOG_LIMIT: wholeNumber(1, 1000, 1000),
    /** DynamoDB table of the cursor rows. */
    ORGLOG_CURSOR_TABLE: text(/^[A-Za-z0-9_.-]{3,255}$/, 'expected the name of a DynamoDB table'),
    /** S3 bucket of the archive. */
    ORGLOG_ARCHIVE_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of an S3 bucket'),
    /** Destination id → URL of its queue. */
    ORGLOG_DESTINATIONS: json(destinations(), 'an object such as {"splunk":"https://sqs…/orglog-splunk"}'),
    /** Secrets Manager: name or ARN of the credential. */
    ORGLOG_SECRET_ID: text(/^[\w/+=.@:-]{1,2048}$/, 'expected the name or ARN of a secret'),
    /** `halt`: a token that the provider forgot stops the log until an operator looks (design §3). */
    ORGLOG_ON_STALE_TOKEN: z.prefault(z.enum(['continue', 'halt'], 'expected continue or halt'), 'continue'),
    /** Below the schedule's period, five minutes: else every other run would leave at once. */
    ORGLOG_MIN_INTERVAL_MS: wholeNumber(0, 86_400_000, 240_000),
    /** Above the function's time-out, below the schedule's period: a dead run's lease is gone by the next run. */
    ORGLOG_LEASE_MS: wholeNumber(1_000, 3_600_000, 280_000),
    /** Longest time for one page, connecting included. */
    ORGLOG_PAGE_TIMEOUT_MS: wholeNumber(1_000, 300_000, 30_000),
    /** How much of a run is sent as metrics, which cost by the piece: functions/adapters/run-metrics.ts. */
    ORGLOG_METRICS: z.prefault(z.enum(METRICS_LEVELS, 'expected standard or detailed'), 'standard'),
    /** Namespace of the metrics: two deployments in one account must not speak for each other. */
    ORGLOG_METRICS_NAMESPACE: z.prefault(text(/^[\w.-]{1,255}$/, 'expected a name such as orglog'), 'orglog'),
    /** Set by Lambda; announcements name it. */
    AWS_REGION: text(/^[a-z]{2,}(-[a-z]+)+-\d+$/, 'expected a region such as us-east-1'),
  }),
);

/** What the collect function is deployed with, checked. @throws OrglogError `configuration`, every fault at once */
export function collectEnvironment(env: Environment) {
  return parseEnvironment(variables, env);
}
