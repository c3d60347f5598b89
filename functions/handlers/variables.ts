import * as z from 'zod/mini';
import { parseBaseUrl } from '../adapters/base-url.ts';
import { asOrglogError } from '../core/errors.ts';
import { SAFE_ID } from '../core/keys.ts';
import { json, text, wholeNumber } from './environment.ts';

const AN_ID = 'letters, digits and ._-, at most 63, the first a letter or digit';

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

function destinations() {
  return z.record(
    z.string().check(z.regex(SAFE_ID)),
    z.url({ protocol: /^https?$/, error: "expected a queue's URL" }),
    `expected an object of destination ids (${AN_ID}) and queue URLs`,
  );
}

/** A variable that holds the name or ARN of a secret in Secrets Manager. */
export function secretId() {
  return text(/^[\w/+=.@:-]{1,2048}$/, 'expected the name or ARN of a secret');
}

/** The variables of every function that reads from the provider on a schedule. */
export function scheduledVariables() {
  return {
    /** The organization's id: names its cursor row, its keys and its metrics. */
    ORGLOG_ORG: text(SAFE_ID, `expected an organization id: ${AN_ID}`),
    /** The provider: https, or http to this machine. */
    ORGLOG_BASE_URL: baseUrl(),
    /** DynamoDB table of the cursor rows. */
    ORGLOG_CURSOR_TABLE: text(/^[A-Za-z0-9_.-]{3,255}$/, 'expected the name of a DynamoDB table'),
    /** S3 bucket of the archive. */
    ORGLOG_ARCHIVE_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of an S3 bucket'),
    /** Destination id → URL of its queue. */
    ORGLOG_DESTINATIONS: json(destinations(), 'an object such as {"splunk":"https://sqs…/orglog-splunk"}'),
    /** Secrets Manager: name or ARN of the credential. */
    ORGLOG_SECRET_ID: secretId(),
    /** Longest time for one page, connecting included. */
    ORGLOG_PAGE_TIMEOUT_MS: wholeNumber(1_000, 300_000, 30_000),
    /** Namespace of the metrics: two deployments in one account must not speak for each other. */
    ORGLOG_METRICS_NAMESPACE: z.prefault(text(/^[\w.-]{1,255}$/, 'expected a name such as orglog'), 'orglog'),
    /** Set by Lambda; announcements name it. */
    AWS_REGION: text(/^[a-z]{2,}(-[a-z]+)+-\d+$/, 'expected a region such as us-east-1'),
  };
}
