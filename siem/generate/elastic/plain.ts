import { CUSTOM_PIPELINE } from './enrich.ts';
import { EVENT_FIELDS, mapping } from './fields.ts';
import { IDENTITY_FIELDS } from './identity-fields.ts';
import { IDENTITY_PIPELINE } from './identity-pipeline.ts';
import { PIPELINE } from './pipeline.ts';
import type { Pipeline } from './pipeline-parts.ts';

/** For those who do not install packages: names that Fleet does not use, on the same data streams. */
const NAME = 'orglog-events';
const IDENTITIES_NAME = 'orglog-identities';

const ROLLOVER = { actions: { rollover: { max_age: '30d', max_primary_shard_size: '50gb' } } };

/** Rolls over by month or size, and deletes after a year: long enough for most investigations, to be changed at will. */
export const LIFECYCLE = {
  policy: { phases: { hot: ROLLOVER, delete: { min_age: '365d', actions: { delete: {} } } } },
};

/** Deletes nothing: an identity that never changes is told of once. */
export const IDENTITY_LIFECYCLE = { policy: { phases: { hot: ROLLOVER } } };

export const INDEX_TEMPLATE = template(
  'logs-orglog.events-*',
  NAME,
  mapping(EVENT_FIELDS),
  'Identity provider sign-in log, collected by orglog',
);

export const IDENTITY_INDEX_TEMPLATE = template(
  'logs-orglog.identities-*',
  IDENTITIES_NAME,
  mapping(IDENTITY_FIELDS),
  'Identity feed of an identity provider, collected by orglog',
);

/** Ends with what Fleet adds to every package's pipeline. */
export const PLAIN_PIPELINE: Pipeline = {
  ...PIPELINE,
  processors: [
    ...PIPELINE.processors,
    { pipeline: { tag: 'call_custom', name: CUSTOM_PIPELINE, ignore_missing_pipeline: true } },
  ],
};

/** With the time that Fleet's final pipeline sets, which the transform of enrich.ts goes by. */
export const PLAIN_IDENTITY_PIPELINE: Pipeline = {
  ...IDENTITY_PIPELINE,
  processors: [
    ...IDENTITY_PIPELINE.processors,
    { set: { tag: 'set_event_ingested', field: 'event.ingested', value: '{{{_ingest.timestamp}}}' } },
  ],
};

function template(pattern: string, name: string, mappings: unknown, description: string) {
  return {
    index_patterns: [pattern],
    data_stream: {},
    // Above Elastic's own template for logs-*-* (100) and any package's (200).
    priority: 300,
    template: { settings: { index: { lifecycle: { name }, default_pipeline: name } }, mappings },
    _meta: { description },
  };
}
