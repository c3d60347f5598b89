import { mapping } from './fields.ts';

/** For those who do not install packages: names that Fleet does not use, on the same data streams. */
const NAME = 'orglog-events';

/** Rolls over by month or size, and deletes after a year: long enough for most investigations, to be changed at will. */
export const LIFECYCLE = {
  policy: {
    phases: {
      hot: { actions: { rollover: { max_age: '30d', max_primary_shard_size: '50gb' } } },
      delete: { min_age: '365d', actions: { delete: {} } },
    },
  },
};

export const INDEX_TEMPLATE = {
  index_patterns: ['logs-orglog.events-*'],
  data_stream: {},
  // Above Elastic's own template for logs-*-* (100) and any package's (200).
  priority: 300,
  template: {
    settings: { index: { lifecycle: { name: NAME }, default_pipeline: NAME } },
    mappings: mapping(),
  },
  _meta: { description: 'Identity provider sign-in log, collected by orglog' },
};
