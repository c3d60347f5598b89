import { DATASET, ECS_VERSION, LOG_DATA_TAG, OBSERVER, TAGS } from '../../../functions/core/ecs/document.ts';
import { IDENTITY_DATASET } from '../../../functions/core/ecs/identity-document.ts';
import { APPLICATION_KEYS, REASON_KEYS } from '../../../functions/core/ecs.ts';
import {
  address,
  constants,
  copy,
  isText,
  nullSafe,
  type Pipeline,
  type Processor,
  pipelineOf,
  tagOf,
  time,
} from './pipeline-parts.ts';
import { CATEGORIZE, READ_LOG_DATA } from './scripts.ts';

/** The sign-in log: the document that functions/core/ecs.ts makes. */
export const PIPELINE: Pipeline = pipelineOf(
  'The identity provider sign-in log, one JSON event a line, in Elastic Common Schema',
  [toTheOtherDataStream()],
  [
    ...constants(
      {
        'ecs.version': ECS_VERSION,
        'event.kind': 'event',
        'event.module': 'orglog',
        'event.dataset': DATASET,
        'observer.vendor': OBSERVER.vendor,
        'observer.product': OBSERVER.product,
        'observer.type': OBSERVER.type,
        'orglog.sign_in': false,
      },
      TAGS,
    ),
    { script: { tag: 'read_log_data', lang: 'painless', if: 'ctx.json != null', ...READ_LOG_DATA } },
    { script: { tag: 'categorize', lang: 'painless', ...CATEGORIZE } },
    ...time(),
    ...theEvent(),
    ...logData(),
    ...user(),
    ...related(),
  ],
);

/**
 * One queue announces the objects of both streams, and one input reads it: two inputs with a selector each would each
 * take, and delete, messages of the other one (filebeat, awss3/s3_objects.go). So what is of the identity feed goes on from here; nothing after this
 * processor sees it.
 */
function toTheOtherDataStream(): Processor {
  return {
    reroute: {
      tag: 'reroute_identities',
      if: `${isText('aws.s3.object.key')} && ctx.aws.s3.object.key.startsWith('identities/')`,
      dataset: IDENTITY_DATASET,
    },
  };
}

function theEvent(): Processor[] {
  return [
    {
      set: {
        tag: 'set_event_action',
        if: `${isText('json.logType')} && ${isText('json.logSubtype')}`,
        field: 'event.action',
        value: '{{{json.logType}}}-{{{json.logSubtype}}}',
      },
    },
    copy('json.logType', 'orglog.log_type'),
    copy('json.logSubtype', 'orglog.log_subtype'),
    copy('json.service', 'event.provider'),
    copy('json.service', 'service.name'),
    copy('json.orgDomain', 'organization.name'),
    copy('json.orgUrl', 'orglog.org_url'),
    copy('json.tenant', 'orglog.tenant'),
    copy('json.correlationId', 'orglog.correlation_id'),
    copy('json.clientIP', 'source.address'),
    address('json.clientIP', 'source.ip'),
  ];
}

function logData(): Processor[] {
  return [
    {
      set: {
        tag: 'set_log_data',
        if: 'ctx.said?.fits == true',
        field: 'orglog.log_data',
        copy_from: 'json.logData',
      },
    },
    {
      append: {
        tag: 'say_log_data_left_out',
        if: 'ctx.json?.logData != null && ctx.said?.fits != true',
        field: 'tags',
        value: [LOG_DATA_TAG],
        allow_duplicates: false,
      },
    },
    ...firstOf(APPLICATION_KEYS, 'orglog.application'),
    ...firstOf(REASON_KEYS, 'event.reason'),
  ];
}

/** `user` falls back to an address where nobody is known: an address is never a user's name. */
function user(): Processor[] {
  return [
    address('said.user', 'said.user_ip'),
    address('said.cas_client_ip', 'said.cas_ip'),
    { remove: { tag: 'remove_address_for_a_user', if: 'ctx.said?.user_ip != null', field: 'said.user' } },
    ...firstOf(['uid', 'eppn', 'user'], 'user.name'),
    ...firstOf(['eppn', 'uid'], 'user.id'),
    copy('said.mail', 'user.email'),
    copy('said.domain', 'user.domain'),
  ];
}

function related(): Processor[] {
  const add = (from: string, field: string): Processor => ({
    append: {
      tag: `${tagOf('add', from)}_to_${field.replace('.', '_')}`,
      if: isText(from),
      field,
      value: [`{{{${from}}}}`],
      allow_duplicates: false,
    },
  });
  return [
    ...['user.name', 'user.id', 'user.email', 'said.user'].map((from) => add(from, 'related.user')),
    ...['source.ip', 'said.user_ip', 'said.cas_ip'].map((from) => add(from, 'related.ip')),
  ];
}

/** The first of `said`'s values that is there. */
function firstOf(keys: readonly string[], field: string): Processor[] {
  return keys.map((key, index) => {
    const { set } = copy(`said.${key}`, field, nullSafe(field));
    return { set: { ...set, tag: `${set?.tag}_${index + 1}` } };
  });
}
