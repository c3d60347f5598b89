/**
 * Elasticsearch's ingest processors, as far as our pipeline uses them, so that it can be run where no Elasticsearch is.
 * Written from https://www.elastic.co/docs/reference/enrich-processor/. What it cannot show is whether Elasticsearch
 * compiles the scripts.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Pipeline, Processor } from '../../siem/generate/elastic/pipeline-parts.ts';
import { runPainless, testPainless } from './elastic-painless.ts';

export type Ctx = Record<string, unknown>;
type Options = Readonly<Record<string, unknown>>;

/** Where a document goes on, and what comes after in its pipeline is not for it (`reroute`). */
class Rerouted extends Error {}

/** Run the pipeline over a copy of the document; one that is rerouted has its destination's name in `_dataset`. */
export function ingest(pipeline: Pipeline, document: Ctx): Ctx {
  const ctx = structuredClone(document);
  try {
    for (const processor of pipeline.processors) run(processor, ctx);
  } catch (error) {
    if (error instanceof Rerouted) return ctx;
    const ingestMetadata = { on_failure_message: String(error) };
    for (const processor of pipeline.on_failure) run(processor, ctx, ingestMetadata);
  }
  return ctx;
}

function run(processor: Processor, ctx: Ctx, metadata: Ctx = {}): void {
  const [[type, options] = ['', {} as Options]] = Object.entries(processor);
  const perform = PROCESSORS[type];
  if (perform === undefined) throw new Error(`no processor ${type}`);
  if (typeof options.if === 'string' && !testPainless(options.if, ctx)) return;
  try {
    perform(ctx, options, { timestamp: '2026-01-02T10:00:00.000Z', ...metadata });
  } catch (error) {
    if (error instanceof Rerouted) throw error;
    if (options.ignore_failure === true) return;
    if (!Array.isArray(options.on_failure)) throw error;
    for (const next of options.on_failure) run(next as Processor, ctx, { on_failure_message: String(error) });
  }
}

const PROCESSORS: Readonly<Record<string, (ctx: Ctx, options: Options, metadata: Ctx) => void>> = {
  set(ctx, { field, value, copy_from, override }, metadata) {
    if (override === false && (get(ctx, field) ?? null) !== null) return;
    put(ctx, field, copy_from === undefined ? rendered(value, ctx, metadata) : existing(ctx, copy_from));
  },
  rename(ctx, { field, target_field, ignore_missing }) {
    if (get(ctx, field) === undefined && ignore_missing === true) return;
    if (get(ctx, target_field) !== undefined) throw new Error(`field [${target_field}] already exists`);
    put(ctx, target_field, existing(ctx, field));
    take(ctx, field);
  },
  remove(ctx, { field, ignore_missing }) {
    for (const path of [field].flat()) {
      if (ignore_missing !== true) existing(ctx, path);
      take(ctx, path);
    }
  },
  append(ctx, { field, value, allow_duplicates }, metadata) {
    const items: unknown[] = [rendered(value, ctx, metadata)].flat();
    const list: unknown[] = [get(ctx, field) ?? []].flat();
    for (const item of items) if (allow_duplicates !== false || !list.includes(item)) list.push(item);
    put(ctx, field, list);
  },
  json(ctx, { field, target_field }) {
    put(ctx, target_field, JSON.parse(String(existing(ctx, field))));
  },
  convert(ctx, { field, target_field, type }) {
    const value = existing(ctx, field);
    if (type !== 'ip') throw new Error(`conversion to ${type} is not modelled`);
    if (typeof value !== 'string' || isIP(value) === 0 || value.includes('%'))
      throw new Error(`[${value}] is not a valid ipv4/ipv6 address`);
    put(ctx, target_field, value);
  },
  date(ctx, { field, target_field = '@timestamp', formats }) {
    if (JSON.stringify(formats) !== '["ISO8601"]') throw new Error('only ISO8601 is modelled');
    put(ctx, target_field, isoDate(String(existing(ctx, field))));
  },
  reroute(ctx, { dataset }) {
    ctx._dataset = dataset;
    throw new Rerouted();
  },
  pipeline(_ctx, { ignore_missing_pipeline }) {
    if (ignore_missing_pipeline !== true) throw new Error('no other pipeline is modelled');
  },
  dissect(ctx, { field, pattern }) {
    const names: string[] = [];
    const expression = String(pattern).replace(/%\{([^}]*)\}|[^%]+/g, (part, name?: string) => {
      if (name === undefined) return part.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&');
      names.push(name);
      return '(.*?)';
    });
    const match = new RegExp(`^${expression}$`).exec(String(existing(ctx, field)));
    if (match === null) throw new Error(`unable to find a match for dissect pattern ${pattern}`);
    for (const [index, name] of names.entries()) if (!name.startsWith('?')) put(ctx, name, match[index + 1]);
  },
  fingerprint(ctx, { fields, target_field, method }) {
    if (method !== 'SHA-256') throw new Error(`${method} is not modelled`);
    const hash = createHash('sha256');
    for (const path of (fields as readonly string[]).toSorted())
      hash.update('\0').update(hashable(existing(ctx, path)));
    put(ctx, target_field, hash.digest('base64'));
  },
  script(ctx, { source, params }) {
    runPainless(String(source), ctx, params as Ctx);
  },
};

/** As FingerprintProcessor.java feeds values to the digest: text as UTF-8, an int in four bytes, the lowest first. */
function hashable(value: unknown): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(Number(value));
  return bytes;
}

/** `strict_date_optional_time` in the year-to-minute forms and longer. */
function isoDate(text: string): string {
  const shape = /^(\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  const [, local = '', zone = 'Z'] = shape ?? [];
  const asUtc = new Date(`${local.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')}Z`);
  const offset = zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2');
  const hours = Number(offset.slice(1, 3) || 0);
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(local.slice(0, 16)) || hours > 18)
    throw new Error(`unable to parse date [${text}]`);
  const shifted = new Date(asUtc.getTime());
  if (offset !== 'Z') {
    const minutes = hours * 60 + Number(offset.slice(4));
    if (Number(offset.slice(4)) > 59) throw new Error(`unable to parse date [${text}]`);
    shifted.setTime(asUtc.getTime() - (offset.startsWith('-') ? -1 : 1) * minutes * 60_000);
  }
  return shifted.toISOString();
}

function rendered(value: unknown, ctx: Ctx, metadata: Ctx): unknown {
  if (Array.isArray(value)) return value.map((item) => rendered(item, ctx, metadata));
  if (typeof value !== 'string') return structuredClone(value);
  return value.replace(/\{\{\{([^}]+)\}\}\}/g, (_, path: string) => {
    const found = path.startsWith('_ingest.') ? metadata[path.slice('_ingest.'.length)] : get(ctx, path);
    return String(found ?? '');
  });
}

function get(ctx: Ctx, path: unknown): unknown {
  return String(path)
    .split('.')
    .reduce<unknown>((at, part) => (isMap(at) ? at[part] : undefined), ctx);
}

function existing(ctx: Ctx, path: unknown): unknown {
  const value = get(ctx, path);
  if (value === undefined) throw new Error(`field [${path}] not present as part of path [${path}]`);
  return structuredClone(value);
}

function put(ctx: Ctx, path: unknown, value: unknown): void {
  const parts = String(path).split('.');
  const last = parts.pop() ?? '';
  let at = ctx;
  for (const part of parts) {
    const next = at[part] ?? {};
    if (!isMap(next)) throw new Error(`cannot set [${path}]: [${part}] is no object`);
    at[part] = next;
    at = next;
  }
  at[last] = value;
}

function take(ctx: Ctx, path: unknown): void {
  const parts = String(path).split('.');
  const last = parts.pop() ?? '';
  const holder = parts.length === 0 ? ctx : get(ctx, parts.join('.'));
  if (isMap(holder)) delete holder[last];
}

function isMap(value: unknown): value is Ctx {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
