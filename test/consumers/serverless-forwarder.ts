import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  type Bucket,
  type Consumed,
  type ConsumedEvent,
  type Consumer,
  getObject,
  hasGzipMagic,
  member,
  onlyRecord,
  textMember,
  unquotePlus,
} from './consumer.ts';

/**
 * Elastic Serverless Forwarder, `s3-sqs` input. Rules, from elastic/elastic-serverless-forwarder:
 *
 * - `handlers/aws/utils.py`, `get_trigger_type_and_config_source`: a body is an S3 notification when its first record's
 *   `eventSource` is `aws:s3`; anything else is taken for a log line that came by SQS. `eventName` is never read.
 * - `handlers/aws/s3_sqs_trigger.py`: reads `awsRegion`, `eventTime` (`%Y-%m-%dT%H:%M:%S.%fZ`: a fraction of one to six
 *   digits and a `Z`), bucket ARN and key (both unquoted, plus as space). The bucket's name is the ARN's last part.
 * - `utils.py`, `s3_object_id`: `_id` is the event time in milliseconds, SHA3-384 over ARN and key joined by a hyphen,
 *   and the line's offset in 12 digits. Another event time at a re-send would be another id: every event twice.
 * - `storage/s3.py`: HEAD for Content-Type and length; gzip is known by its magic bytes.
 * - `storage/decorator.py`: Python's `splitlines` takes lines apart, then lines are put together until they are JSON
 *   (its limit of 1,000 lines without success is not modelled). `splitlines` also breaks at U+0085, U+2028 and U+2029,
 *   which JSON may hold unescaped (of the other places where it breaks, JSON allows none).
 */
export const serverlessForwarder: Consumer = { name: 'Elastic Serverless Forwarder', consume };

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,6}Z$/;
const PYTHON_LINE_END = /\r\n|[\n\r\x85\u2028\u2029]/;

function consume(body: string, bucket: Bucket): Consumed {
  const document: unknown = JSON.parse(body);
  if (!isNotification(document)) return { kind: 'ignored', reason: 'taken for a log line by itself' };
  const record = onlyRecord(document);
  const region = textMember(record, 'awsRegion');
  const s3 = member(record, 's3');
  const arn = unquotePlus(textMember(member(s3, 'bucket'), 'arn'));
  const key = unquotePlus(textMember(member(s3, 'object'), 'key'));
  const eventTime = textMember(record, 'eventTime');
  if (!TIME.test(eventTime)) throw new Error(`time data ${eventTime} does not match format`);
  const { bytes } = getObject(bucket, { name: arn.split(':').at(-1) ?? '', key });
  const plain = hasGzipMagic(bytes) ? gunzipSync(bytes) : bytes;
  const source = createHash('sha3-384').update(`${arn}-${key}`).digest('hex');
  const events = [...collected(plain)].map(
    ([offset, text]): ConsumedEvent => ({
      id: `${Date.parse(eventTime)}-${source}-${String(offset).padStart(12, '0')}`,
      text,
    }),
  );
  return { kind: 'read', events, about: { arn, key, region } };
}

function isNotification(document: unknown): boolean {
  try {
    return textMember(onlyRecord(document), 'eventSource') === 'aws:s3';
  } catch {
    return false;
  }
}

/** JSON values over as many lines as each takes, at the offset where it starts; what never becomes one, line by line. */
function* collected(plain: Buffer): Generator<[offset: number, text: string]> {
  const whole = plain.toString('utf8');
  const newline = whole.includes('\r\n') ? '\r\n' : '\n';
  const lines = whole.split(PYTHON_LINE_END);
  if (lines.at(-1) === '') lines.pop();
  let offset = 0;
  let pending: string[] = [];
  for (const line of lines) {
    pending.push(line);
    const text = pending.join(newline);
    if (!isJson(text)) continue;
    yield [offset, text];
    offset += Buffer.byteLength(text + newline);
    pending = [];
  }
  for (const line of pending) {
    yield [offset, line];
    offset += Buffer.byteLength(line + newline);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
