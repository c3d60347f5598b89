import type { Processor } from '../../siem/generate/elastic/pipeline-parts.ts';

type Options = Record<string, unknown>;

/**
 * What OpenSearch, which parted from Elasticsearch at 7.10, has under another name, or not at all. Everything else is
 * given to it as it is: an option that it does not know is an error.
 */
const TRANSLATED: Readonly<Record<string, (options: Options) => Processor | undefined>> = {
  // A data stream of its own by the key's prefix: nothing here does that.
  reroute: () => undefined,
  // One's own pipeline, called where there is one: here there is none.
  pipeline: () => undefined,
  json: ({ allow_duplicate_keys: _, ...options }) => ({ json: options }),
  fingerprint: ({ method, ...options }) => ({
    fingerprint: { ...options, hash_method: `${method}@2.16.0` },
  }),
  set({ copy_from: source, field, ...options }) {
    if (source === undefined) return { set: { field, ...options } };
    return { copy: { ...options, source_field: source, target_field: field, override_target: true } };
  },
};

export interface Pipeline {
  readonly processors: readonly Processor[];
  readonly on_failure?: readonly Processor[];
}

/** An ingest pipeline for Elasticsearch, as OpenSearch takes it. */
export function pipelineForOpenSearch(pipeline: Pipeline): Pipeline {
  return { ...pipeline, processors: pipeline.processors.flatMap(translated) };
}

function translated(processor: Processor): Processor[] {
  const [[name, options] = ['', {}]] = Object.entries(processor) as [string, Options][];
  const translate = TRANSLATED[name];
  if (translate === undefined) return [processor];
  const found = translate(options);
  return found === undefined ? [] : [found];
}

/** An index template, the same: `flattened` is called `flat_object`, and Elastic's own lifecycles are left out. */
export function templateForOpenSearch(template: object): object {
  const text = JSON.stringify(template, (name, value: unknown) => {
    if (name === 'lifecycle') return undefined;
    if (isOptions(value) && value.type === 'flattened') return { type: 'flat_object' };
    // There it takes its value from the first document; here it has to be given one.
    if (isOptions(value) && value.type === 'constant_keyword' && !('value' in value))
      return { type: 'keyword' };
    return value;
  });
  return JSON.parse(text) as object;
}

function isOptions(value: unknown): value is Options {
  return typeof value === 'object' && value !== null;
}
