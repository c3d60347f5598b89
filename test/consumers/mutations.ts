import { gunzipSync, gzipSync } from 'node:zlib';
import { type Announced, keyOf, withMember, withObject } from './announced.ts';
import type { Consumer } from './consumer.ts';

/** A change to what we send, and who finds out: everybody that depends on what was changed. */
export interface Mutation {
  /** For a member of the message: its path in the record. */
  readonly path?: string;
  readonly what: string;
  readonly change: (given: Announced) => Announced;
  readonly caughtBy: readonly Consumer['name'][];
}

const AGENT = 'Elastic Agent';
const FORWARDER = 'Elastic Serverless Forwarder';
const SPLUNK = 'Splunk Add-on for AWS';
const VECTOR = 'Vector';
const ALL = [AGENT, FORWARDER, SPLUNK, VECTOR] as const;

function message(path: string, value: unknown, caughtBy: Mutation['caughtBy']): Mutation {
  const what = value === undefined ? `${path} left out` : `${path} ${JSON.stringify(value)}`;
  return {
    path,
    what,
    change: (given) => ({ ...given, body: withMember(given.body, path, value) }),
    caughtBy,
  };
}

function body(what: string, change: (body: string) => string, caughtBy: Mutation['caughtBy']): Mutation {
  return { what, change: (given) => ({ ...given, body: change(given.body) }), caughtBy };
}

function object(
  what: string,
  change: Parameters<typeof withObject>[1],
  caughtBy: Mutation['caughtBy'],
): Mutation {
  return { what, change: (given) => withObject(given, change), caughtBy };
}

/** Another text in the object, compressed as ours is. */
function text(what: string, change: (text: string) => string, caughtBy: Mutation['caughtBy']): Mutation {
  return object(what, ({ bytes }) => ({ bytes: gzipSync(change(gunzipSync(bytes).toString())) }), caughtBy);
}

export const OF_THE_MESSAGE: readonly Mutation[] = [
  body('no Records', (given) => given.replace('"Records"', '"records"'), ALL),
  body('no JSON', (given) => given.slice(0, -1), ALL),
  message('eventVersion', '3.0', [VECTOR]),
  message('eventVersion', '2', [VECTOR]),
  message('eventVersion', undefined, [VECTOR]),
  message('eventSource', 'orglog', [AGENT, FORWARDER]),
  message('eventSource', undefined, [AGENT, FORWARDER, VECTOR]),
  message('awsRegion', 'eu-west-1', ALL),
  message('awsRegion', undefined, ALL),
  message('eventTime', '2026-01-02T12:00:00.001Z', [FORWARDER]),
  message('eventTime', '2026-01-02T12:00:00Z', [FORWARDER]),
  message('eventTime', '2026-01-02T12:00:00.000', [FORWARDER, VECTOR]),
  message('eventTime', undefined, [FORWARDER, VECTOR]),
  message('eventName', 's3:ObjectCreated:Put', [AGENT, SPLUNK, VECTOR]),
  message('eventName', 'ObjectCreated', [AGENT, SPLUNK, VECTOR]),
  message('eventName', 'ObjectRemoved:Delete', [AGENT, SPLUNK, VECTOR]),
  message('eventName', undefined, [AGENT, SPLUNK, VECTOR]),
  message('s3', undefined, ALL),
  message('s3.bucket.name', 'other', [AGENT, SPLUNK, VECTOR]),
  message('s3.bucket.name', undefined, [AGENT, SPLUNK, VECTOR]),
  message('s3.bucket.arn', 'arn:aws:s3:::other', [AGENT, FORWARDER]),
  message('s3.bucket.arn', undefined, [AGENT, FORWARDER]),
  message('s3.object.key', 'logs/other.ndjson.gz', ALL),
  message('s3.object.key', undefined, ALL),
  body('the key encoded twice', (given) => given.replaceAll('%3D', '%253D'), ALL),
  body('a JSON escape in the key', (given) => given.replaceAll('/', '\\/'), [VECTOR]),
  message('s3.object.size', 0, [SPLUNK]),
  message('s3.object.size', undefined, [SPLUNK]),
  message('s3.object.eTag', 'd41d8cd98f00b204e9800998ecf8427e', [SPLUNK]),
  message('s3.object.eTag', '"quoted"', [SPLUNK]),
  message('s3.object.eTag', undefined, [SPLUNK]),
];

export const OF_THE_OBJECT: readonly Mutation[] = [
  {
    what: 'a key that does not end in .gz',
    change: (given) => {
      const key = keyOf(given.body);
      const bare = key.replace(/\.gz$/, '');
      const stored = given.bucket.objects.get(key);
      if (stored === undefined) throw new Error(`nothing is archived at ${key}`);
      const objects = new Map(given.bucket.objects).set(bare, stored);
      const moved = withMember(
        given.body,
        's3.object.key',
        bare.split('/').map(encodeURIComponent).join('/'),
      );
      return { ...given, body: moved, bucket: { ...given.bucket, objects } };
    },
    caughtBy: ALL,
  },
  object('not compressed', ({ bytes }) => ({ bytes: gunzipSync(bytes) }), [SPLUNK, VECTOR]),
  object('compressed twice', ({ bytes }) => ({ bytes: gzipSync(bytes) }), ALL),
  object('cut short', ({ bytes }) => ({ bytes: bytes.subarray(0, -20) }), ALL),
  object('written again', () => ({ etag: 'another' }), [SPLUNK]),
  object('Content-Type text/plain', () => ({ contentType: 'text/plain' }), [AGENT]),
  object('Content-Type application/zstd', () => ({ contentType: 'application/zstd' }), [AGENT, VECTOR]),
  object('Content-Encoding zstd', () => ({ contentEncoding: 'zstd' }), [VECTOR]),
  text('empty', () => '', ALL),
  text('an event less', (given) => given.slice(given.indexOf('\n') + 1), ALL),
  text('a list instead of lines', (given) => `[${given.trim().replaceAll('\n', ',')}]\n`, ALL),
  text('events over several lines', (given) => given.replaceAll(',"', ',\n"'), ALL),
  text('a byte order mark', (given) => `\ufeff${given}`, [AGENT, FORWARDER, VECTOR]),
  text('CRLF', (given) => given.replaceAll('\n', '\r\n'), [AGENT, FORWARDER, VECTOR]),
];

/** What nobody of the four reads, or reads alike either way: changing it breaks none of them. */
export const READ_BY_NOBODY: readonly Mutation[] = [
  message('s3.s3SchemaVersion', undefined, []),
  message('s3.configurationId', undefined, []),
  body('the key with its equals signs bare', (given) => given.replaceAll('%3D', '='), []),
  // All four ask for the bytes as they lie; the header is left out for readers that do decode.
  object('Content-Encoding gzip', () => ({ contentEncoding: 'gzip' }), []),
  object('Content-Type application/json', () => ({ contentType: 'application/json' }), []),
  text('no final newline', (given) => given.trimEnd(), []),
];
