import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { asOrglogError, OrglogError } from '../functions/core/errors.ts';
import type { Archive, MessageQueue, ReceivedMessage } from '../functions/core/ports.ts';
import type { SiemFile } from './siem-file.ts';

/** As much of an S3 event notification as a consumer needs (Amazon S3 User Guide, "Event message structure"). */
const Notification = z.object({
  Records: z.tuple([z.object({ s3: z.object({ object: z.object({ key: z.string().min(1) }) }) })]),
});

/** How one message went. */
export type Taken =
  | { readonly kind: 'stored' | 'known-already'; readonly key: string }
  | { readonly kind: 'nothing-waits' }
  /** The message stays in the queue, which sets it aside after too many receives. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * A SIEM in small, and a consumer as real ones are: it receives a message, reads the object that the message names,
 * unpacks it, keeps its lines, and only then removes the message. A message that comes again changes nothing.
 */
export class LocalSiem {
  readonly #queue: MessageQueue;
  readonly #archive: Archive;
  readonly #fileOf: (key: string) => Promise<SiemFile>;
  /** Received, but not stored because of the file: tried again without another receive, which would be counted. */
  #inHand: ReceivedMessage | undefined;

  /** @param fileOf where an object's lines go, by its key */
  constructor(queue: MessageQueue, archive: Archive, fileOf: (key: string) => Promise<SiemFile>) {
    this.#queue = queue;
    this.#archive = archive;
    this.#fileOf = fileOf;
  }

  /**
   * Take in the next message's events.
   * @throws OrglogError when the SIEM's own file or the queue fails: nothing is lost, and the next call tries again
   */
  async takeNext(signal: AbortSignal): Promise<Taken> {
    // One at a time keeps the file in the log's order.
    const message = this.#inHand ?? (await this.#queue.receive(1, signal))[0];
    if (message === undefined) return { kind: 'nothing-waits' };
    this.#inHand = message;
    const taken = await this.#store(message, signal);
    if (taken.kind !== 'unreadable') await this.#queue.remove(message.receipt, signal);
    this.#inHand = undefined;
    return taken;
  }

  async #store({ body }: ReceivedMessage, signal: AbortSignal): Promise<Taken> {
    const key = keyNamedBy(body);
    if (key === undefined)
      return { kind: 'unreadable', reason: 'a message that is no S3 event notification' };
    const file = await this.#fileOf(key);
    if (file.has(key)) return { kind: 'known-already', key };
    try {
      await file.append(key, this.#linesOf(key, signal));
      return { kind: 'stored', key };
    } catch (error) {
      if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.message };
      throw error;
    }
  }

  async *#linesOf(key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const stored = await this.#archive.get(key, signal);
      if (stored === undefined) throw new OrglogError('storage', 'it is gone: put it back');
      // Its callback must be there, or a failure would be thrown at nobody; the loop sees it as well.
      yield* pipeline(stored, createGunzip(), () => {});
    } catch (error) {
      if (signal.aborted) throw error;
      throw new Unreadable(
        `the archived object ${key} cannot be read: ${asOrglogError(error, 'storage').message}`,
      );
    }
  }
}

/** The fault is the message's or its object's, not the SIEM's. */
class Unreadable extends Error {}

function keyNamedBy(body: string): string | undefined {
  try {
    const { Records } = Notification.parse(JSON.parse(body));
    return decodeURIComponent(Records[0].s3.object.key);
  } catch {
    return undefined;
  }
}
