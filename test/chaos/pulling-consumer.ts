import type { OperatorArchive } from '../../functions/core/operate/ports.ts';
import { readLines } from './lines-of.ts';
import { keyOf, type QueueReader } from './queue-reader.ts';

/** A SIEM that pulls: receives, fetches, keeps what the key names, and only then removes. */
export class PullingConsumer {
  readonly #queue: QueueReader;
  readonly #archive: Pick<OperatorArchive, 'get'>;
  readonly #taken = new Map<string, readonly string[]>();

  constructor(queue: QueueReader, archive: Pick<OperatorArchive, 'get'>) {
    this.#queue = queue;
    this.#archive = archive;
  }

  /** @returns how many messages there were */
  async poll(): Promise<number> {
    const messages = await this.#queue.receive();
    for (const message of messages) {
      const key = keyOf(message);
      // What cannot be read now comes again.
      const lines = this.#taken.get(key) ?? (await readLines(this.#archive, key).catch(() => undefined));
      if (lines === undefined) continue;
      this.#taken.set(key, lines);
      await this.#queue.remove([message]);
    }
    return messages.length;
  }

  get lines(): string[] {
    return [...this.#taken.values()].flat();
  }
}
