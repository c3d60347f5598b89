import {
  DATASET,
  ECS_VERSION,
  LOG_DATA_TAG,
  NO_TIMESTAMP_TAG,
  NOT_JSON,
  OBSERVER,
  TAGS,
} from '../../../functions/core/ecs/document.ts';
import { APPLICATION_KEYS, REASON_KEYS } from '../../../functions/core/ecs.ts';
import { CATEGORIZE, READ_LOG_DATA } from './scripts.ts';

type Options = Readonly<Record<string, unknown>>;
/** One ingest processor: its type, and its options. */
export type Processor = Readonly<Record<string, Options>>;

export interface Pipeline {
  readonly description: string;
  readonly processors: readonly Processor[];
  readonly on_failure: readonly Processor[];
}

const FAILED =
  'Processor {{{_ingest.on_failure_processor_type}}} with tag {{{_ingest.on_failure_processor_tag}}} in pipeline {{{_ingest.on_failure_pipeline}}} failed: {{{_ingest.on_failure_message}}}';

/** What the pipeline works with and takes away at its end. */
const SCRATCH = ['json', 'said'];

/**
 * The pipeline that makes of an agent's event (the line in `message`) the document that functions/core/ecs.ts makes.
 * A document that is one already, as push delivers it, stays as it is. Processors:
 * https://www.elastic.co/docs/reference/enrich-processor/
 */
export const PIPELINE: Pipeline = {
  description: 'The identity provider sign-in log, one JSON event a line, in Elastic Common Schema',
  processors: [
    ...theLine(),
    ...identity(),
    ...constants(),
    { script: { tag: 'read_log_data', lang: 'painless', if: 'ctx.json != null', ...READ_LOG_DATA } },
    { script: { tag: 'categorize', lang: 'painless', ...CATEGORIZE } },
    ...time(),
    ...theEvent(),
    ...logData(),
    ...user(),
    ...related(),
    {
      set: {
        tag: 'mark_errors',
        if: 'ctx.error?.message != null',
        field: 'event.kind',
        value: 'pipeline_error',
      },
    },
    { remove: { tag: 'remove_scratch', field: SCRATCH, ignore_missing: true } },
  ],
  on_failure: [
    { append: { tag: 'say_what_failed', field: 'error.message', value: FAILED } },
    { set: { tag: 'mark_failure', field: 'event.kind', value: 'pipeline_error' } },
    { remove: { tag: 'remove_scratch_of_failure', field: SCRATCH, ignore_missing: true } },
  ],
};

function theLine(): Processor[] {
  return [
    {
      rename: {
        tag: 'keep_the_line',
        if: 'ctx.event?.original == null',
        field: 'message',
        target_field: 'event.original',
        ignore_missing: true,
      },
    },
    { remove: { tag: 'remove_message', field: 'message', ignore_missing: true } },
    {
      json: {
        tag: 'parse_the_line',
        field: 'event.original',
        target_field: 'json',
        // The last one wins, as everywhere else: a repeated key must not cost the event its fields.
        allow_duplicate_keys: true,
        on_failure: [{ set: { tag: 'say_not_json', field: 'error.message', value: NOT_JSON } }],
      },
    },
    {
      remove: {
        tag: 'remove_other_than_objects',
        if: '!(ctx.json instanceof Map)',
        field: 'json',
        ignore_missing: true,
      },
    },
  ];
}

/**
 * One identity per line of an object, however often it is read: the agent's own keeps 40 bits of a hash of the object.
 * In a data stream a second document of one `_id` is refused within one backing index.
 */
function identity(): Processor[] {
  const fields = ['aws.s3.bucket.name', 'aws.s3.object.key', 'log.offset'];
  return [
    {
      fingerprint: {
        tag: 'identify_by_place',
        if: fields.map((field) => `${nullSafe(field)} != null`).join(' && '),
        fields,
        target_field: 'event.id',
        method: 'SHA-256',
      },
    },
    {
      set: {
        tag: 'set_id',
        if: 'ctx.aws?.s3?.object?.key != null && ctx.event?.id != null',
        field: '_id',
        copy_from: 'event.id',
      },
    },
    {
      dissect: {
        tag: 'org_of_key',
        if: isText('aws.s3.object.key'),
        field: 'aws.s3.object.key',
        pattern: '%{?stream}/org=%{orglog.org}/%{?rest}',
        ignore_failure: true,
      },
    },
  ];
}

function constants(): Processor[] {
  const values = {
    'ecs.version': ECS_VERSION,
    'event.kind': 'event',
    'event.module': 'orglog',
    'event.dataset': DATASET,
    'observer.vendor': OBSERVER.vendor,
    'observer.product': OBSERVER.product,
    'observer.type': OBSERVER.type,
    'orglog.sign_in': false,
  };
  return [
    ...Object.entries(values).map(([field, value]) => ({ set: { tag: tagOf('set', field), field, value } })),
    { append: { tag: 'append_tags', field: 'tags', value: TAGS, allow_duplicates: false } },
  ];
}

function time(): Processor[] {
  const noTimestamp = { field: 'tags', value: [NO_TIMESTAMP_TAG], allow_duplicates: false };
  return [
    {
      // Only other shippers than the agent leave it out, and a data stream needs it.
      set: {
        tag: 'default_timestamp',
        field: '@timestamp',
        value: '{{{_ingest.timestamp}}}',
        override: false,
      },
    },
    {
      date: {
        tag: 'time_of_event',
        if: 'ctx.json?.timeStampISO instanceof String',
        field: 'json.timeStampISO',
        formats: ['ISO8601'],
        on_failure: [{ append: { tag: 'say_unreadable_time', ...noTimestamp } }],
      },
    },
    {
      append: { tag: 'say_no_time', if: '!(ctx.json?.timeStampISO instanceof String)', ...noTimestamp },
    },
  ];
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

/** Copies text that is there; `unless` names what must be absent for it. */
function copy(from: string, field: string, unless?: string): Processor {
  const condition = unless === undefined ? isText(from) : `${unless} == null && ${isText(from)}`;
  return {
    set: { tag: `${tagOf('set', field)}_from_${tagOf('', from)}`, if: condition, field, copy_from: from },
  };
}

/** Copies text that is an IP address, and nothing else. */
function address(from: string, field: string): Processor {
  return {
    convert: {
      tag: tagOf('set', field),
      if: isText(from),
      field: from,
      target_field: field,
      type: 'ip',
      ignore_failure: true,
    },
  };
}

function isText(path: string): string {
  return `${nullSafe(path)} instanceof String && ${nullSafe(path)} != ''`;
}

function nullSafe(path: string): string {
  return `ctx.${path.split('.').join('?.')}`;
}

function tagOf(verb: string, path: string): string {
  return [...(verb === '' ? [] : [verb]), ...path.split(/[^A-Za-z0-9]+/)].join('_').toLowerCase();
}
