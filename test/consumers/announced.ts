import { World, type WorldOptions } from '../core/simulation/world.ts';
import { type Bucket, type Json, member, onlyRecord, type S3Object, textMember } from './consumer.ts';

/** One message of ours, and the bucket that it points into. */
export interface Announced {
  readonly body: string;
  readonly bucket: Bucket;
  /** The events that the object holds. */
  readonly lines: readonly string[];
}

/** What the core makes of a log: its real messages and objects, each destination's, in order. */
export async function announced(options: WorldOptions, extra: readonly string[] = []): Promise<Announced[]> {
  const world = new World({ destinations: ['siem'], ...options });
  for (const line of extra) world.provider.appendLine(line);
  await world.run();
  return announcedIn(world, 'siem');
}

/** All messages that a destination's queue took in a world, repeats included. */
export function announcedIn(world: World, destination: string): Announced[] {
  const objects = new Map<string, S3Object>();
  for (const [key, { bytes, contentType, etag }] of world.archive.objects) {
    objects.set(key, { bytes: Buffer.from(bytes), contentType, etag });
  }
  const bucket = { name: world.archive.bucket, region: world.archive.region, objects };
  return world.trace.flatMap((entry) =>
    entry.kind === 'sent' && entry.destination === destination
      ? [{ body: entry.body, bucket, lines: world.linesOf(entry.key) }]
      : [],
  );
}

/** A record's object key, as the archive knows it. */
export function keyOf(body: string): string {
  return decodeURIComponent(textMember(member(member(onlyRecord(JSON.parse(body)), 's3'), 'object'), 'key'));
}

/** The message with one member of its record replaced, or left out where `value` is `undefined`. */
export function withMember(body: string, path: string, value: unknown): string {
  const names = path.split('.');
  const document = structuredClone(JSON.parse(body)) as Json;
  let node = onlyRecord(document) as Record<string, unknown>;
  for (const name of names.slice(0, -1)) node = member(node, name) as Record<string, unknown>;
  const last = names.at(-1) ?? '';
  if (!(last in node)) throw new Error(`a message has no ${path}`);
  if (value === undefined) delete node[last];
  else node[last] = value;
  return JSON.stringify(document);
}

/** The same announcement with its object replaced. */
export function withObject(given: Announced, change: (object: S3Object) => Partial<S3Object>): Announced {
  const key = keyOf(given.body);
  const object = given.bucket.objects.get(key);
  if (object === undefined) throw new Error(`nothing is archived at ${key}`);
  const objects = new Map(given.bucket.objects).set(key, { ...object, ...change(object) });
  return { ...given, bucket: { ...given.bucket, objects } };
}
