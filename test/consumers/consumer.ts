/** What lies in the bucket, with the headers that a GET answers with. */
export interface S3Object {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly contentEncoding?: string;
  /** Unquoted. */
  readonly etag: string;
}

/** Where a consumer's own client looks: its answers are S3's. */
export interface Bucket {
  readonly name: string;
  readonly region: string;
  readonly objects: ReadonlyMap<string, S3Object>;
}

/** One event as a consumer passes it on. */
export interface ConsumedEvent {
  /** Where the consumer makes one: a repeat of it is dropped by the SIEM. */
  readonly id?: string;
  readonly text: string;
}

/** What a consumer makes of one message. */
export type Consumed =
  /** `about` is all else that it says of the events, or asks of S3. */
  | { readonly kind: 'read'; readonly events: readonly ConsumedEvent[]; readonly about: object }
  /** Taken for done with nothing read: the message is deleted, and nobody ever knows. */
  | { readonly kind: 'ignored'; readonly reason: string }
  /** The message stays, or becomes a dead letter. */
  | { readonly kind: 'failed'; readonly reason: string };

/** One vendor's reader, by its own parsing rules. */
export interface Consumer {
  readonly name: 'Elastic Agent' | 'Elastic Serverless Forwarder' | 'Splunk Add-on for AWS' | 'Vector';
  /** Throws what fails the message. */
  readonly consume: (body: string, bucket: Bucket) => Consumed;
}

/** A message's processing, where whatever is thrown fails it. */
export function consumeWith(consumer: Consumer, body: string, bucket: Bucket): Consumed {
  try {
    return consumer.consume(body, bucket);
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** GetObject as S3 answers it. */
export function getObject(
  bucket: Bucket,
  asked: { readonly region?: string; readonly name: string; readonly key: string; readonly ifMatch?: string },
): S3Object {
  if (asked.name !== bucket.name) throw new Error('NoSuchBucket');
  if (asked.region !== undefined && asked.region !== bucket.region) throw new Error('PermanentRedirect');
  const object = bucket.objects.get(asked.key);
  if (object === undefined) throw new Error('NoSuchKey');
  if (asked.ifMatch !== undefined && asked.ifMatch !== object.etag) throw new Error('PreconditionFailed');
  return object;
}

/** JSON of unknown shape, as these readers see it: a member of what is no object is an error. */
export type Json = Readonly<Record<string, unknown>>;

export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) throw new Error(`there is no ${name}`);
  return (value as Json)[name];
}

/** A member that has to be there and be text. */
export function textMember(value: unknown, name: string): string {
  const found = member(value, name);
  if (typeof found !== 'string') throw new Error(`${name} is no text`);
  return found;
}

/** The only record of a message: ours hold exactly one. */
export function onlyRecord(document: unknown): unknown {
  const records = member(document, 'Records');
  if (!Array.isArray(records) || records.length !== 1) throw new Error('Records is no list of one');
  return records[0];
}

/** `unquote_plus` of Python and `url.QueryUnescape` of Go: a plus is a space. */
export function unquotePlus(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** By the first two bytes, as readers do that do not go by names. */
export function hasGzipMagic(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
