import { gunzipSync } from 'node:zlib';
import {
  type Bucket,
  type Consumed,
  type ConsumedEvent,
  type Consumer,
  getObject,
  type Json,
  member,
  onlyRecord,
  textMember,
  unquotePlus,
} from './consumer.ts';

/**
 * Splunk Add-on for AWS, SQS-based S3 input with the `CustomLogs` decoder. Rules, from the add-on's own Python
 * (`splunk_ta_aws/modinputs/sqs_based_s3/handler.py`, `splunk_ta_aws/common/decoder.py`, `splunksdc/archive.py`):
 *
 * - Records count with an `eventName` that starts with `ObjectCreated:` and a `size` that is there and not 0; a message
 *   without any is deleted with a warning. `eventSource`, the versions and `eventTime` are never read.
 * - The key is unquoted, plus as space. GetObject by `awsRegion`, bucket name and key, with `eTag` as it stands as
 *   If-Match: an object that was overwritten is not read.
 * - Archives are known by the key's suffix alone (`.gz`), not by headers or magic bytes.
 * - A byte order mark is stripped; the text goes on as UTF-8 and is broken into events by `LINE_BREAKER` (`([\r\n]+)`
 *   by default). `source` is `s3://<bucket>/<key>`. No ids: a repeat is a repeat.
 */
export const splunkAddon: Consumer = { name: 'Splunk Add-on for AWS', consume };

function consume(body: string, bucket: Bucket): Consumed {
  const record = onlyRecord(JSON.parse(body));
  if (!textMember(record, 'eventName').startsWith('ObjectCreated:')) {
    return { kind: 'ignored', reason: 'no file of an ObjectCreated event' };
  }
  const s3 = member(record, 's3');
  const name = textMember(member(s3, 'bucket'), 'name');
  const object = member(s3, 'object') as Json;
  const key = unquotePlus(textMember(object, 'key'));
  const region = textMember(record, 'awsRegion');
  if (!object.size) return { kind: 'ignored', reason: 'the file is empty, or its size is not known' };
  const ifMatch = typeof object.eTag === 'string' && object.eTag !== '' ? object.eTag : undefined;
  const { bytes } = getObject(bucket, { region, name, key, ...(ifMatch !== undefined && { ifMatch }) });
  const plain = /\.gz(ip)?$/i.test(key) ? gunzipSync(bytes) : bytes;
  const events = plain
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/[\r\n]+/)
    .filter((text) => text !== '')
    .map((text): ConsumedEvent => ({ text }));
  return { kind: 'read', events, about: { source: `s3://${name}/${key}`, ifMatch } };
}
