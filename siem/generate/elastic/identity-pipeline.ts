import { ECS_VERSION } from '../../../functions/core/ecs/document.ts';
import {
  CHANGES_TAG,
  COLLECTION_TAG,
  IDENTITY_DATASET,
  IDENTITY_OBSERVER,
  IDENTITY_TAGS,
} from '../../../functions/core/ecs/identity-document.ts';
import { CATEGORIZE_FEED, DROP_TAGS_OF_THE_LOG, READ_IDENTITY } from './identity-scripts.ts';
import {
  constants,
  copy,
  nullSafe,
  type Pipeline,
  type Processor,
  pipelineOf,
  tagOf,
  time,
} from './pipeline-parts.ts';

/** The identity feed: the document that functions/core/ecs-identity.ts makes. */
export const IDENTITY_PIPELINE: Pipeline = pipelineOf(
  'The identity feed of an identity provider, one JSON event a line, in Elastic Common Schema',
  [
    {
      script: {
        tag: 'drop_tags_of_the_log',
        lang: 'painless',
        if: 'ctx.tags instanceof List',
        ...DROP_TAGS_OF_THE_LOG,
      },
    },
  ],
  [
    ...constants(
      {
        'ecs.version': ECS_VERSION,
        'event.module': 'orglog',
        'event.dataset': IDENTITY_DATASET,
        'observer.vendor': IDENTITY_OBSERVER.vendor,
        'observer.product': IDENTITY_OBSERVER.product,
        'observer.type': IDENTITY_OBSERVER.type,
      },
      IDENTITY_TAGS,
    ),
    { script: { tag: 'read_identity', lang: 'painless', if: 'ctx.json != null', ...READ_IDENTITY } },
    { script: { tag: 'categorize_feed', lang: 'painless', ...CATEGORIZE_FEED } },
    ...time(),
    date('json.walkStartedAt', 'event.created'),
    date('said.created_at', 'orglog.created_at'),
    date('said.updated_at', 'orglog.updated_at'),
    copy('json.action', 'event.action'),
    copy('json.org', 'organization.name'),
    copy('json.environment', 'orglog.environment'),
    copy('said.authority', 'orglog.authority'),
    copy('said.authority_type', 'orglog.authority_type'),
    leftOut('collection', COLLECTION_TAG),
    leftOut('changes', CHANGES_TAG),
  ],
);

/** A time where it can be read, and nothing elsewhere. */
function date(from: string, field: string): Processor {
  return {
    date: {
      tag: tagOf('set', field),
      if: `${nullSafe(from)} instanceof String`,
      field: from,
      target_field: field,
      formats: ['ISO8601'],
      ignore_failure: true,
    },
  };
}

function leftOut(what: string, tag: string): Processor {
  return {
    append: {
      tag: `say_${what}_left_out`,
      if: `ctx.said?.${what}_left_out == true`,
      field: 'tags',
      value: [tag],
      allow_duplicates: false,
    },
  };
}
