import * as z from 'zod/mini';
import { parseBaseUrl } from '../adapters/base-url.ts';
import { SAFE_ID } from '../core/keys.ts';
import { type Environment, parseEnvironment, text, wholeNumber } from './environment.ts';

const A_URL =
  'expected the URL of the sink: https (http to this machine only), without credentials, query or hash';

function sinkUrl() {
  return z.string(A_URL).check(({ value, issues }) => {
    try {
      parseBaseUrl(value);
    } catch {
      issues.push({ code: 'custom', message: A_URL, input: value });
    }
  });
}

/** What goes into every event's metadata. */
const label = () => z.exactOptional(text(/^[^\p{Cc}]{1,255}$/u, 'expected text of at most 255 characters'));

const COMMON = {
  /** The destination's id: names its ledger rows, its folder under `rejected/` and its metrics. */
  ORGLOG_DESTINATION: text(SAFE_ID, 'expected a destination id: letters, digits and ._-'),
  /** S3 bucket of the archive. */
  ORGLOG_ARCHIVE_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of an S3 bucket'),
  /** DynamoDB table of the ledger. */
  ORGLOG_LEDGER_TABLE: text(/^[A-Za-z0-9_.-]{3,255}$/, 'expected the name of a DynamoDB table'),
  /** The queue that this function reads: to change how long a message stays hidden. */
  ORGLOG_QUEUE_URL: z.url({ protocol: /^https?$/, error: "expected the queue's URL" }),
  /** Secrets Manager: name or ARN of the sink's credential. */
  ORGLOG_SECRET_ID: text(/^[\w/+=.@:-]{1,2048}$/, 'expected the name or ARN of a secret'),
  ORGLOG_SINK_CA: z.exactOptional(
    text(
      /^\s*-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/,
      'expected certificates in PEM',
    ),
  ),
  /** Objects delivered at once: each holds a request in memory. */
  ORGLOG_CONCURRENCY: wholeNumber(1, 10, 4),
  /** Longest time for one request, connecting included. */
  ORGLOG_REQUEST_TIMEOUT_MS: wholeNumber(1_000, 120_000, 30_000),
  /** Namespace of the metrics: two deployments in one account must not speak for each other. */
  ORGLOG_METRICS_NAMESPACE: z.prefault(text(/^[\w.-]{1,255}$/, 'expected a name such as orglog'), 'orglog'),
  /** Set by Lambda. */
  AWS_REGION: text(/^[a-z]{2,}(-[a-z]+)+-\d+$/, 'expected a region such as us-east-1'),
};

/** Built when the environment is read, once per container. */
const splunk = z.lazy(() =>
  z.object({
    ...COMMON,
    /** Without `/services/collector`. */
    ORGLOG_SINK_URL: sinkUrl(),
    /** Absent: the token's own. */
    ORGLOG_SPLUNK_INDEX: label(),
    ORGLOG_SPLUNK_HOST: label(),
    ORGLOG_SPLUNK_SOURCE: label(),
    ORGLOG_SPLUNK_SOURCETYPE: z.prefault(
      text(/^[\w:.-]{1,255}$/, 'expected a source type such as orglog:event'),
      'orglog:event',
    ),
    /** `true`: wait until events are indexed; Splunk Enterprise only. */
    ORGLOG_SPLUNK_ACKNOWLEDGE: z.prefault(z.enum(['true', 'false'], 'expected true or false'), 'false'),
  }),
);

const elastic = z.lazy(() =>
  z.object({
    ...COMMON,
    /** Elasticsearch, not Kibana. */
    ORGLOG_SINK_URL: sinkUrl(),
    /** `<type>-<dataset>-<namespace>` (Elastic, "Data stream naming scheme"). */
    ORGLOG_ELASTIC_DATA_STREAM: z.prefault(
      text(/^[a-z0-9][a-z0-9._-]{0,254}$/, 'expected the name of a data stream, in lower case'),
      'logs-orglog.events-default',
    ),
  }),
);

/** What a function that delivers to Splunk is deployed with, checked. @throws OrglogError `configuration` */
export function splunkEnvironment(env: Environment) {
  return parseEnvironment(splunk, env);
}

/** What a function that delivers to Elasticsearch is deployed with, checked. @throws OrglogError `configuration` */
export function elasticEnvironment(env: Environment) {
  return parseEnvironment(elastic, env);
}

/** The variables that both have. */
export type DeliverEnvironment = Omit<ReturnType<typeof elasticEnvironment>, 'ORGLOG_ELASTIC_DATA_STREAM'>;
