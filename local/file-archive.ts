import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OrglogError } from '../functions/core/errors.ts';
import type { ListedObject, OperatorArchive } from '../functions/core/operate/ports.ts';
import type { ObjectHead, ObjectToPut, StoredObject } from '../functions/core/ports.ts';
import { throwIfAborted } from './aborted.ts';
import { DurableFolders, linkNew, readText, sizeOf, syncFolder } from './durable-files.ts';
import { listKeys } from './listing.ts';
import { parseSidecar, type Sidecar, StagedObjects } from './staged-objects.ts';
import { hasCode, storageError } from './storage-errors.ts';

const stagingFolder = '.staged';
const readBytes = 256 * 1024;

/**
 * The archive as files: the object of a key is the file `<root>/<key>`, byte for byte, and its metadata lies beside it
 * in a hidden sidecar (`@` occurs in no key, so that no object can have a sidecar's name).
 *
 * A put must be one step to everybody else, although it makes two files. That step is the hard link which gives the
 * sidecar its final name:
 *
 * 1. bytes and sidecar are written to `.staged` under a name of this put alone, and synced;
 * 2. the sidecar is linked to its final name. `link` fails where the name is taken, so of any number of writers, in
 *    any number of processes, exactly one gets it: the object exists from here on, and the others' is `exists`;
 * 3. the bytes are linked to their final name, and the staged names are removed.
 *
 * Whoever dies before 2 has stored nothing; the next start removes what is staged. Whoever dies between 2 and 3 has
 * stored the object: the sidecar names the staged bytes, which nobody removes before 3 is durable, and the next look
 * at the key, or the next start, does 3 over. A loser's metadata never meets a winner's bytes, because a sidecar names
 * its own. Folders are synced between the steps, so that a power failure does not reorder them.
 */
export class FileArchive implements OperatorArchive {
  readonly bucket = 'local-archive';
  readonly region = 'local';
  readonly #root: string;
  readonly #folders: DurableFolders;
  readonly #staged: StagedObjects;

  private constructor(root: string) {
    this.#root = resolve(root);
    this.#folders = new DurableFolders(this.#root);
    this.#staged = new StagedObjects(join(this.#root, stagingFolder), this.#folders);
  }

  /**
   * Opens the archive, creating its folder where needed, and finishes or removes what dead processes left half done.
   * @throws OrglogError `storage` when the folder cannot be used
   */
  static async open(root: string): Promise<FileArchive> {
    const archive = new FileArchive(root);
    try {
      for (const id of await archive.#staged.abandoned()) await archive.#recover(id);
    } catch (error) {
      throw storageError(error, 'Opening the archive', archive.#root);
    }
    return archive;
  }

  async put(object: ObjectToPut, signal: AbortSignal): Promise<StoredObject | 'exists'> {
    const path = this.#pathOf(object.key);
    return this.#attempt(`Storing ${object.key}`, path, signal, async () => {
      const taken = (await sizeOf(path)) !== undefined;
      if ((await this.#find(object.key)) !== undefined) return 'exists';
      if (taken) {
        throw new OrglogError(
          'storage',
          `${path} is there, but was not stored by this archive: move it away`,
        );
      }
      const sidecar = describe(object, this.#staged.newId());
      try {
        await this.#staged.write(sidecar, object.body, signal);
        await this.#folders.ensure(dirname(path));
        throwIfAborted(signal, `Storing ${object.key}`);
        if (await linkNew(this.#staged.sidecarPath(sidecar.staged), sidecarOf(path))) {
          await this.#finish(sidecar);
          await this.#staged.discard(sidecar.staged);
          return { etag: sidecar.etag, size: sidecar.size };
        }
      } catch (error) {
        // Where the object exists by now, its bytes must stay until they have their final name.
        if ((await this.#ownerOf(object.key)) !== sidecar.staged) await this.#staged.discard(sidecar.staged);
        throw error;
      }
      await this.#staged.discard(sidecar.staged);
      if ((await this.#find(object.key)) !== undefined) return 'exists';
      throw new OrglogError(
        'storage',
        `${path} was removed, but not ${sidecarOf(path)}: keys are written once; remove that too to store it anew`,
      );
    });
  }

  async head(key: string, signal: AbortSignal): Promise<ObjectHead | undefined> {
    return this.#attempt(`Looking for ${key}`, this.#pathOf(key), signal, async () => {
      const sidecar = await this.#find(key);
      return sidecar && { etag: sidecar.etag, size: sidecar.size, metadata: sidecar.metadata };
    });
  }

  async get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = this.#pathOf(key);
    return this.#attempt(`Reading ${key}`, path, signal, async () =>
      (await this.#find(key)) === undefined ? undefined : contentOf(path, key, signal),
    );
  }

  async *list(
    prefix: string,
    options: { readonly after?: string },
    signal: AbortSignal,
  ): AsyncGenerator<readonly ListedObject[]> {
    const action = `Listing ${prefix === '' ? 'the archive' : prefix}`;
    throwIfAborted(signal, action);
    try {
      for await (const page of listKeys(this.#root, { prefix, ...options }, keyNameOf)) {
        throwIfAborted(signal, action);
        const objects: ListedObject[] = [];
        for (const { key, file } of page) {
          if (file !== undefined) objects.push({ key, ...file });
          // Its writer died between the steps 2 and 3; or somebody removed the file.
          else objects.push(...(await this.#unfinished(key)));
        }
        if (objects.length > 0) yield objects;
      }
    } catch (error) {
      throwIfAborted(signal, action);
      throw storageError(error, action, this.#root);
    }
  }

  async #unfinished(key: string): Promise<ListedObject[]> {
    const found = await this.#find(key);
    if (found === undefined) return [];
    return [{ key, size: found.size, storedAt: Math.floor((await stat(this.#pathOf(key))).mtimeMs) }];
  }

  /** The object, made whole where its writer died between the steps 2 and 3. */
  async #find(key: string): Promise<Sidecar | undefined> {
    const path = this.#pathOf(key);
    const sidecar = await this.#sidecarAt(path);
    if (sidecar === undefined) return undefined;
    let size = await sizeOf(path);
    if (size === undefined) {
      const unfinished = (await sizeOf(this.#staged.bytesPath(sidecar.staged))) !== undefined;
      if (unfinished) await this.#finish(sidecar);
      // Where nothing is staged either, its writer may have done step 3 between the two looks.
      size = await sizeOf(path);
    }
    // Somebody removed the file: the object is gone, as it is from a bucket.
    if (size === undefined) return undefined;
    if (size === sidecar.size) return sidecar;
    throw new OrglogError(
      'storage',
      `${path} has ${size} bytes, but ${sidecar.size} were stored: restore it from a backup`,
    );
  }

  /** Step 3. May run several times, and in several processes at once. */
  async #finish(sidecar: Sidecar): Promise<void> {
    const path = this.#pathOf(sidecar.key);
    await syncFolder(dirname(path));
    try {
      await linkNew(this.#staged.bytesPath(sidecar.staged), path);
    } catch (error) {
      // Nothing is staged any more where another process did this first: then the object is there.
      if (!hasCode(error, 'ENOENT') || (await sizeOf(path)) === undefined) throw error;
    }
    await syncFolder(dirname(path));
  }

  async #recover(id: string): Promise<void> {
    const text = await readText(this.#staged.sidecarPath(id));
    const key = text === undefined ? undefined : parseSidecar(text)?.key;
    if (key !== undefined && (await this.#ownerOf(key)) === id) await this.#find(key);
    await this.#staged.discard(id);
  }

  /** Which staged bytes are this key's object. */
  async #ownerOf(key: string): Promise<string | undefined> {
    return (await this.#sidecarAt(this.#pathOf(key)))?.staged;
  }

  async #sidecarAt(path: string): Promise<Sidecar | undefined> {
    const text = await readText(sidecarOf(path));
    if (text === undefined) return undefined;
    const sidecar = parseSidecar(text);
    if (sidecar !== undefined) return sidecar;
    throw new OrglogError('storage', `${sidecarOf(path)} is damaged: restore it from a backup`);
  }

  async #attempt<T>(action: string, path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    throwIfAborted(signal, action);
    try {
      return await work();
    } catch (error) {
      throwIfAborted(signal, action);
      throw storageError(error, action, path);
    }
  }

  #pathOf(key: string): string {
    const valid = /^[A-Za-z0-9._=-]+(\/[A-Za-z0-9._=-]+)*$/.test(key) && !/(^|\/)\.(\/|$)|\.\./.test(key);
    if (valid && key.split('/')[0] !== stagingFolder) return join(this.#root, key);
    throw new OrglogError(
      'storage',
      `"${key}" cannot be the key of an object: use letters, digits, "._=-" and single slashes, no "..", and not ` +
        `the folder "${stagingFolder}"`,
    );
  }
}

function sidecarOf(path: string): string {
  return join(dirname(path), `.${basename(path)}@meta.json`);
}

/** The other way round, of a sidecar's own name. */
function keyNameOf(name: string): string | undefined {
  return /^\.(.+)@meta\.json$/.exec(name)?.[1];
}

function describe(object: ObjectToPut, staged: string): Sidecar {
  const hash = createHash('md5');
  let size = 0;
  for (const piece of object.body) {
    hash.update(piece);
    size += piece.byteLength;
  }
  const { key, contentType, metadata } = object;
  return { key, staged, etag: hash.digest('hex'), size, contentType, metadata: { ...metadata } };
}

async function* contentOf(path: string, key: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: readBytes, signal });
  } catch (error) {
    throwIfAborted(signal, `Reading ${key}`);
    throw storageError(error, `Reading ${key}`, path);
  }
}
