import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type Bucket,
  type Consumed,
  type ConsumedEvent,
  type Consumer,
  getObject,
  member,
  onlyRecord,
  textMember,
  unquotePlus,
} from './consumer.ts';

/**
 * Vector, `aws_s3` source, all settings as they ship. Rules, from vectordotdev/vector `src/sources/aws_s3/`:
 *
 * - `sqs.rs`: the record has to have `eventVersion` (`<major>.<minor>`, major 2), `eventSource`, `awsRegion`, `eventName`
 *   (`<kind>:<name>`), bucket name and key; since `deferred.max_age_secs` also `eventTime` (RFC 3339). A kind other
 *   than `ObjectCreated` is ignored and its message deleted. A region other than the source's own is an error.
 * - The key is deserialized as borrowed bytes: one JSON escape in it (`\/` will do) fails the message. It is
 *   percent-decoded, plus as space.
 * - `mod.rs`: compression by Content-Encoding, else Content-Type, else the key's suffix: never by magic bytes.
 * - Framing is newline-delimited: LF ends a line, CR stays in it; what does not end with LF is a line too.
 * - `sqs.delete_failed_message` (default true) deletes messages whose events a sink refused: set it to false.
 */
export const vector: Consumer = { name: 'Vector', consume };

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const ENCODINGS: Readonly<Record<string, Compression>> = { gzip: 'gzip', zstd: 'zstd' };
const TYPES: Readonly<Record<string, Compression>> = {
  'application/gzip': 'gzip',
  'application/x-gzip': 'gzip',
  'application/zstd': 'zstd',
};
const SUFFIXES: Readonly<Record<string, Compression>> = { gz: 'gzip', zst: 'zstd' };

type Compression = 'gzip' | 'zstd';

function consume(body: string, bucket: Bucket): Consumed {
  const record = onlyRecord(JSON.parse(body));
  if (!/^2\.\d+$/.test(textMember(record, 'eventVersion'))) throw new Error('unsupported S3 event version');
  textMember(record, 'eventSource');
  const region = textMember(record, 'awsRegion');
  const [kind, name] = textMember(record, 'eventName').split(':', 2);
  if (name === undefined) throw new Error('Missing event name');
  if (!RFC_3339.test(textMember(record, 'eventTime'))) throw new Error('eventTime is no RFC 3339 time');
  const s3 = member(record, 's3');
  const bucketName = textMember(member(s3, 'bucket'), 'name');
  const encodedKey = textMember(member(s3, 'object'), 'key');
  if (!body.includes(`"${encodedKey}"`)) throw new Error('invalid type: string, expected borrowed bytes');
  const key = unquotePlus(encodedKey);
  if (kind !== 'ObjectCreated') return { kind: 'ignored', reason: `the kind is ${kind}` };
  if (region !== bucket.region) throw new Error('wrong region');
  const object = getObject(bucket, { region, name: bucketName, key });
  const compression =
    ENCODINGS[object.contentEncoding ?? ''] ??
    TYPES[object.contentType] ??
    SUFFIXES[key.split('.').at(-1) ?? ''];
  const plain =
    compression === undefined
      ? object.bytes
      : compression === 'gzip'
        ? gunzipSync(object.bytes)
        : zstdDecompressSync(object.bytes);
  const lines = plain.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return {
    kind: 'read',
    events: lines.map((text): ConsumedEvent => ({ text })),
    about: { bucketName, key, region },
  };
}
