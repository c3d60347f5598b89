import type { Processor } from './pipeline-parts.ts';

/** The newest state of each identity. Not under `logs-`: an index of such a name would become a data stream. */
const LATEST_INDEX = 'orglog-identities-latest';
const POLICY = 'orglog-identities';

/** How that index is made: what a policy matches must be a keyword, and what it gives is not searched. */
export const LATEST_IDENTITIES_INDEX = {
  mappings: {
    dynamic: false,
    properties: {
      event: { properties: { action: { type: 'keyword' }, created: { type: 'date' } } },
      orglog: {
        properties: {
          org: { type: 'keyword' },
          environment: { type: 'keyword' },
          created_at: { type: 'date' },
        },
      },
      user: {
        properties: {
          id: { type: 'keyword' },
          email: { type: 'keyword' },
          full_name: { type: 'keyword' },
        },
      },
    },
  },
};

/**
 * Keeps it up to date (Elasticsearch, "Create transform", `latest`). Sorted by the walk: the time of a change is the
 * provider's, and a snapshot's is the walk's, but of two walks the later one has the newer state, whatever it tells of.
 */
export const LATEST_IDENTITIES_TRANSFORM = {
  description: 'The newest state of each identity, from the identity feed of orglog',
  source: {
    index: ['logs-orglog.identities-*'],
    query: {
      bool: {
        filter: [{ exists: { field: 'user.id' } }, { exists: { field: 'event.created' } }],
        must_not: [{ term: { 'event.kind': 'pipeline_error' } }],
      },
    },
  },
  dest: { index: LATEST_INDEX },
  latest: { unique_key: ['orglog.org', 'orglog.environment', 'user.id'], sort: 'event.created' },
  frequency: '15m',
  sync: { time: { field: 'event.ingested', delay: '120s' } },
};

/** Of the environment that people sign in to: in `test` there may be another identity under the same address. */
export const ENRICH_POLICY = {
  match: {
    indices: LATEST_INDEX,
    match_field: 'user.email',
    enrich_fields: ['user.id', 'user.full_name', 'orglog.created_at', 'event.action'],
    query: { term: { 'orglog.environment': 'prod' } },
  },
};

/** What Fleet calls after the package's pipeline, and the plain one after itself, where there is one of this name. */
export const CUSTOM_PIPELINE = 'logs-orglog.events@custom';

const FOUND = 'found_identity';

/** Which identity signed in: by mail, else by `eppn`, which is an address at many institutions. */
export const ENRICH_PIPELINE = {
  description: 'Which identity a sign-in is of, by the identity feed of orglog',
  processors: [
    lookUp('user.email'),
    lookUp('user.id'),
    take('user.full_name', 'user.full_name'),
    take('user.id', 'orglog.identity.id'),
    take('orglog.created_at', 'orglog.identity.created_at'),
    take('event.action', 'orglog.identity.last_action'),
    { remove: { tag: 'remove_found', field: FOUND, ignore_missing: true } },
  ],
};

function lookUp(field: string): Processor {
  return {
    enrich: {
      tag: `look_up_${field.replace('.', '_')}`,
      if: `ctx.${FOUND} == null`,
      policy_name: POLICY,
      field,
      target_field: FOUND,
      max_matches: 1,
      ignore_missing: true,
      // A sign-in without its name is worth more than none.
      ignore_failure: true,
    },
  };
}

function take(from: string, field: string): Processor {
  const path = `${FOUND}.${from}`;
  return {
    set: {
      tag: `set_${field.replaceAll('.', '_')}`,
      if: `ctx.${path.split('.').join('?.')} != null`,
      field,
      copy_from: path,
    },
  };
}
