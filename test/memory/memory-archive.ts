import { createHash } from 'node:crypto';
import type { Archive, ObjectHead, ObjectToPut, StoredObject } from '../../functions/core/ports.ts';
import { throwIfAborted } from '../../local/aborted.ts';

export interface MemoryObject extends ObjectHead {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Objects in a map. Every call takes effect at once and resolves in a microtask. */
export class MemoryArchive implements Archive {
  readonly bucket = 'memory';
  readonly region = 'memory';
  readonly #objects = new Map<string, MemoryObject>();

  async put(object: ObjectToPut, signal: AbortSignal): Promise<StoredObject | 'exists'> {
    throwIfAborted(signal, `Storing ${object.key}`);
    if (this.#objects.has(object.key)) return 'exists';
    const bytes = Buffer.concat(object.body);
    const etag = createHash('md5').update(bytes).digest('hex');
    const { contentType, metadata } = object;
    this.#objects.set(object.key, {
      bytes,
      contentType,
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
