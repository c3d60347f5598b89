import { announced } from '../../../functions/core/delivery/announced.ts';
import { refusedObject } from '../../../functions/core/delivery/refusals.ts';
import { objectKey } from '../../../functions/core/keys.ts';
import { notification } from '../../../functions/core/notification.ts';
import type { Deployment } from '../../../functions/core/operate/ports.ts';
import type { CursorRow } from '../../../functions/core/ports.ts';
import type { Provider } from '../../../local/provider/server.ts';
import { never } from '../../contracts/support.ts';
import { orglogHere, type Surroundings } from '../in-process.ts';
import type { Ended } from '../orglog.ts';

/** A system that has collected three batches of 40 events, and the command to work on it. */
export interface OperateBed extends AsyncDisposable {
  /** The system itself, to look at and to prepare. */
  readonly deployment: Deployment;
  readonly provider: Provider;
  /** A destination that is pushed to. */
  readonly pushed: string;
  /** Options that name the system. */
  readonly system: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The real collector, once: what was added to the log meanwhile is archived and announced. */
  collect(added: number): Promise<void>;
  /** Makes dead letters of all that waits for the destination. */
  bury(destination: string): Promise<void>;
  /** Removes an object from the archive. */
  lose(key: string): Promise<void>;
}

/** `orglog …` on the bed's system, in this process. */
export function on(bed: OperateBed) {
  return (args: readonly string[], { env, ...surroundings }: Surroundings = {}): Promise<Ended> =>
    orglogHere([...args, ...bed.system], { ...surroundings, env: { ...bed.env, ...env } });
}

export async function rowOf({ deployment }: OperateBed): Promise<CursorRow> {
  const row = await deployment.cursors.read({ org: 'institution', stream: 'logs' }, never);
  if (row === undefined) throw new Error('it never ran');
  return row;
}

export async function keyOf(bed: OperateBed, sequence: number): Promise<string> {
  const key = objectKey(await rowOf(bed), sequence);
  if (key === undefined) throw new Error(`batch ${sequence} has no key`);
  return key;
}

/** What a sink leaves behind that refuses an event of a batch. */
export async function refuse(
  bed: OperateBed,
  sequence: number,
  line: number,
  reason: string,
): Promise<string> {
  const { archive } = bed.deployment;
  const { bucket, region } = archive;
  const key = await keyOf(bed, sequence);
  const body = notification({ bucket, region, key, etag: 'e', size: 1, eventTime: 0 });
  const announcement = announced(body, bucket);
  if (announcement.kind === 'unreadable') throw new Error(announcement.reason);
  const original = Buffer.from('{"message":"a secret of a person"}');
  const event = { line, original, start: 0, end: 0 };
  const object = refusedObject({ event, reason }, bed.pushed, announcement.object);
  await archive.put(object, never);
  return object.key;
}

/** What waits for a destination: the keys announced, in order. They are taken out. */
export async function takeAll({ deployment }: OperateBed, destination: string): Promise<string[]> {
  const queue = deployment.queue(destination);
  const keys: string[] = [];
  // Asked first, since a queue in SQS that is empty is waited for.
  while ((await queue.standing(never)).visible > 0) {
    for (const { body, receipt } of await queue.receive(10, never)) {
      keys.push(decodeURIComponent(JSON.parse(body).Records[0].s3.object.key));
      await queue.remove(receipt, never);
    }
  }
  return keys.sort();
}

export function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

/** Notes that a destination took all lines of an object, unless that is noted. */
export async function taken(bed: OperateBed, key: string, lines: number): Promise<void> {
  const expiresAt = Date.now() + 86_400_000;
  const row = { destination: bed.pushed, key, lines, done: true, expiresAt };
  await bed.deployment.ledger.progress({ ...row, expected: 0 }, never);
}
