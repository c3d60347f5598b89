import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  type Bucket,
  type Consumed,
  type ConsumedEvent,
  type Consumer,
  getObject,
  hasGzipMagic,
  type Json,
  onlyRecord,
  unquotePlus,
} from './consumer.ts';

const JSON_TYPES = ['application/json', 'application/x-ndjson'];

/**
 * Elastic Agent and Filebeat, `aws-s3` input with a queue. Rules, from elastic/beats `x-pack/filebeat/input/awss3/`:
 *
 * - `sqs_s3_event.go`: a body that is no JSON, or without `Records`, is not tried again: the message is deleted. A
 *   record counts only with `eventSource` `aws:s3` and an `eventName` that starts with `ObjectCreated:`; others are
 *   ignored and their message deleted. The key is query-unescaped. Missing members read as empty text (Go's JSON).
 *   At `sqs.max_receive_count` (5 by default, `config.go`) a message that failed is deleted.
 * - `s3_objects.go`: GetObject by `awsRegion`, bucket name and key. gzip is known by its magic bytes, whatever the
 *   name and headers. With a Content-Type of JSON or NDJSON, values are decoded one after another, at the offset where
 *   the one before ended; with any other, lines are read, at the offset where the line starts.
 * - `_id` is the first 10 hex digits of SHA-256 over bucket ARN and key, then the offset in 12 digits.
 * - `aws.s3.*` and `cloud.region` are passed on, for ingest pipelines to use.
 */
export const elasticAgent: Consumer = { name: 'Elastic Agent', consume };

function consume(body: string, bucket: Bucket): Consumed {
  const record = onlyRecord(JSON.parse(body)) as Json;
  if (text(record, 'eventSource') !== 'aws:s3' || !text(record, 'eventName').startsWith('ObjectCreated:')) {
    return { kind: 'ignored', reason: 'not an ObjectCreated event of aws:s3' };
  }
  const s3 = part(record, 's3');
  const arn = text(part(s3, 'bucket'), 'arn');
  const name = text(part(s3, 'bucket'), 'name');
  const key = unquotePlus(text(part(s3, 'object'), 'key'));
  const region = text(record, 'awsRegion');
  const { bytes, contentType } = getObject(bucket, { region, name, key });
  const plain = hasGzipMagic(bytes) ? gunzipSync(bytes) : bytes;
  const hash = createHash('sha256').update(arn).update(key).digest('hex').slice(0, 10);
  const isJson = JSON_TYPES.some((type) => contentType.startsWith(type));
  const events = [...(isJson ? jsonValues(plain) : lines(plain))].map(
    ([offset, value]): ConsumedEvent => ({ id: `${hash}-${String(offset).padStart(12, '0')}`, text: value }),
  );
  return { kind: 'read', events, about: { arn, name, key, region } };
}

/** Values, each at the offset where the one before it ended (`InputOffset` of Go's decoder), gaps left out of the text. */
function* jsonValues(plain: Buffer): Generator<[offset: number, text: string]> {
  let at = 0;
  while (true) {
    let start = at;
    while (' \t\r\n'.includes(String.fromCharCode(plain[start] ?? 0))) start += 1;
    if (start >= plain.length) return;
    const end = objectEnd(plain, start);
    const text = plain.toString('utf8', start, end);
    JSON.parse(text);
    yield [at, text];
    at = end;
  }
}

/** Just past the closing brace of the object at `start`. */
function objectEnd(plain: Buffer, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < plain.length; at += 1) {
    const char = String.fromCharCode(plain[at] ?? 0);
    if (inString && char === '\\') at += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && char === '{') depth += 1;
    else if (!inString && char === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error('failed to decode json: unexpected EOF');
}

/** Lines that are not empty, each at the offset where it starts. */
function* lines(plain: Buffer): Generator<[offset: number, text: string]> {
  let offset = 0;
  for (const line of plain.toString('utf8').split('\n')) {
    if (line !== '') yield [offset, line];
    offset += Buffer.byteLength(line) + 1;
  }
}

/** As Go decodes into a struct: what is missing is empty, what has another type is an error. */
function text(value: Json, name: string): string {
  const found = value[name] ?? '';
  if (typeof found !== 'string') throw new Error(`cannot decode ${name} into a string`);
  return found;
}

function part(value: Json, name: string): Json {
  const found = value[name] ?? {};
  if (typeof found !== 'object') throw new Error(`cannot decode ${name} into a struct`);
  return found as Json;
}
