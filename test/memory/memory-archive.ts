import { createHash } from 'node:crypto';
import type { ListedObject, OperatorArchive } from '../../functions/core/operate/ports.ts';
import type { ObjectHead, ObjectToPut, StoredObject } from '../../functions/core/ports.ts';
import { throwIfAborted } from '../../local/aborted.ts';

/** Small, so that a suite sees several. */
const PAGE_OBJECTS = 3;

export interface MemoryObject extends ObjectHead {
  readonly storedAt: number;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Objects in a map. Every call takes effect at once and resolves in a microtask. */
export class MemoryArchive implements OperatorArchive {
  readonly bucket = 'memory';
  readonly region = 'memory';
  readonly #objects = new Map<string, MemoryObject>();
  readonly #now: () => number;

  /** @param now epoch ms, of virtual time: when objects are stored */
  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  async put(object: ObjectToPut, signal: AbortSignal): Promise<StoredObject | 'exists'> {
    throwIfAborted(signal, `Storing ${object.key}`);
    if (this.#objects.has(object.key)) return 'exists';
    const bytes = Buffer.concat(object.body);
    const etag = createHash('md5').update(bytes).digest('hex');
    const { contentType, metadata } = object;
    this.#objects.set(object.key, {
      bytes,
      contentType,
      storedAt: this.#now(),
      etag,
      size: bytes.length,
      metadata: Object.freeze({ ...metadata }),
    });
    return { etag, size: bytes.length };
  }

  async head(key: string, signal: AbortSignal): Promise<ObjectHead | undefined> {
    throwIfAborted(signal, `Looking for ${key}`);
    const object = this.#objects.get(key);
    return object && { etag: object.etag, size: object.size, metadata: object.metadata };
  }

  async get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    throwIfAborted(signal, `Reading ${key}`);
    const object = this.#objects.get(key);
    return object && once(object.bytes);
  }

  async *list(
    prefix: string,
    { after }: { readonly after?: string },
    signal: AbortSignal,
  ): AsyncGenerator<readonly ListedObject[]> {
    const keys = [...this.#objects.keys()]
      .filter((key) => key.startsWith(prefix) && (after === undefined || key > after))
      .sort();
    for (let at = 0; at < keys.length; at += PAGE_OBJECTS) {
      throwIfAborted(signal, `Listing ${prefix}`);
      yield keys.slice(at, at + PAGE_OBJECTS).flatMap((key) => {
        const object = this.#objects.get(key);
        return object === undefined ? [] : { key, size: object.size, storedAt: object.storedAt };
      });
    }
    throwIfAborted(signal, `Listing ${prefix}`);
  }

  /** For tests: everything that is stored, in the order of the puts. */
  get objects(): ReadonlyMap<string, MemoryObject> {
    return this.#objects;
  }

  /** For tests: an object is lost behind the collector's back. */
  lose(key: string): void {
    this.#objects.delete(key);
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
