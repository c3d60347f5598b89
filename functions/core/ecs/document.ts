import type { EcsMeaning } from '../vocabulary/dialects.ts';

/** The version of Elastic Common Schema that the documents keep to. */
export const ECS_VERSION = '8.17.0';

/** What every document says of where it comes from. */
export const DATASET = 'orglog.events';
export const OBSERVER = {
  vendor: 'identity provider',
  product: 'sign-in log',
  type: 'identity-provider',
} as const;

/** `forwarded` is how Elastic's own integrations mark what another machine observed. */
export const TAGS = ['forwarded', 'orglog-events'] as const;

/** The event has no readable time: `@timestamp` is when it was collected. */
export const NO_TIMESTAMP_TAG = 'orglog-no-timestamp';
/** `logData` could not be indexed (`canBeFlattened`): it is in `event.original` alone. */
export const LOG_DATA_TAG = 'orglog-log-data-left-out';

export const NOT_JSON = 'the event is not valid JSON';

/**
 * One event in Elastic Common Schema (https://www.elastic.co/docs/reference/ecs/ecs-field-reference). An absent member
 * means that the event does not say.
 */
export interface EcsDocument {
  '@timestamp': string;
  ecs: { version: typeof ECS_VERSION };
  event: {
    kind: EcsMeaning['kind'] | 'pipeline_error';
    category?: EcsMeaning['category'];
    type?: EcsMeaning['type'];
    outcome: EcsMeaning['outcome'];
    /** `<logType>-<logSubtype>`, listed or not. */
    action?: string;
    module: 'orglog';
    dataset: typeof DATASET;
    id: string;
    /** The line as the archive holds it, byte for byte. */
    original: string;
    /** In the event's own words, why it ended so. */
    reason?: string;
    /** Which of the provider's services wrote it. */
    provider?: string;
  };
  error?: { message: string };
  source?: { address: string; ip?: string };
  user?: { name?: string; id?: string; email?: string; domain?: string };
  organization?: { name: string };
  service?: { name: string };
  observer: typeof OBSERVER;
  related?: { user?: string[]; ip?: string[] };
  orglog: {
    org: string;
    org_url?: string;
    log_type?: string;
    log_subtype?: string;
    tenant?: string;
    correlation_id?: string;
    /** What was signed in to: a SAML entity ID, a CAS service, an OpenID Connect client. */
    application?: string;
    sign_in: boolean;
    log_data?: object;
  };
  tags: string[];
}
