import { NO_TIMESTAMP_TAG, NOT_JSON } from '../../../functions/core/ecs/document.ts';

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

/** What a pipeline works with and takes away at its end: the line's members, and what was made of them. */
const SCRATCH = ['json', 'said'];

/**
 * A pipeline that makes a document of an agent's event, the line of which is in `message`. A document that is one
 * already, as push delivers it, stays as it is. Processors: https://www.elastic.co/docs/reference/enrich-processor/
 *
 * @param before what comes before the line is read
 * @param steps what makes the document, from the line's members in `json`
 */
export function pipelineOf(
  description: string,
  before: readonly Processor[],
  steps: readonly Processor[],
): Pipeline {
  return {
    description,
    processors: [
      ...before,
      ...theLine(),
      ...identity(),
      ...steps,
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
}

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

/** What every document says, and its tags. */
export function constants(values: Options, tags: readonly string[]): Processor[] {
  return [
    ...Object.entries(values).map(([field, value]) => ({ set: { tag: tagOf('set', field), field, value } })),
    { append: { tag: 'append_tags', field: 'tags', value: tags, allow_duplicates: false } },
  ];
}

/** The event's own time, where it has one that can be read. */
export function time(): Processor[] {
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

/** Copies text that is there; `unless` names what must be absent for it. */
export function copy(from: string, field: string, unless?: string): Processor {
  const condition = unless === undefined ? isText(from) : `${unless} == null && ${isText(from)}`;
  return {
    set: { tag: `${tagOf('set', field)}_from_${tagOf('', from)}`, if: condition, field, copy_from: from },
  };
}

/** Copies text that is an IP address, and nothing else. */
export function address(from: string, field: string): Processor {
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

export function isText(path: string): string {
  return `${nullSafe(path)} instanceof String && ${nullSafe(path)} != ''`;
}

export function nullSafe(path: string): string {
  return `ctx.${path.split('.').join('?.')}`;
}

export function tagOf(verb: string, path: string): string {
  return [...(verb === '' ? [] : [verb]), ...path.split(/[^A-Za-z0-9]+/)].join('_').toLowerCase();
}
