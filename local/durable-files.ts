import { type FileHandle, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from './storage-errors.ts';

/*
 * File operations whose outcome outlives a power failure. Syncing a file makes its content durable, but not its name:
 * that is in the folder, which is synced by itself.
 */

/** Writes a new file, which must not exist, and syncs its content. Its folder is left to the caller. */
export async function writeNew(
  path: string,
  pieces: Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(pieces, { signal });
  await file.sync();
}

/** Gives a file this content: whoever reads it finds the content before or this one, whole. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const next = `${path}.${process.pid}`;
  await removeIfThere(next);
  await writeNew(next, [Buffer.from(content)], new AbortController().signal);
  await rename(next, path);
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable: additions and removals so far. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and NTFS keeps names in its own journal.
  if (process.platform === 'win32') return;
  await using folder: FileHandle = await open(path, 'r');
  await folder.sync();
}

/** A second name for a file. `false`: the name is taken already, and stays what it is. */
export async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Size in bytes; `undefined` when there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  const found = await absentAsUndefined(stat(path));
  return found?.isFile() ? found.size : undefined;
}

export async function readText(path: string): Promise<string | undefined> {
  return absentAsUndefined(readFile(path, 'utf8'));
}

export async function removeIfThere(path: string): Promise<void> {
  await absentAsUndefined(unlink(path));
}

/** Folders below a root whose own names are durable. */
export class DurableFolders {
  readonly #root: string;
  readonly #known = new Set<string>();

  /** @param root - absolute; created with everything above it */
  constructor(root: string) {
    this.#root = root;
  }

  /** Creates the folder where needed. Synced even where it was there: another process may have just created it. */
  async ensure(path: string): Promise<void> {
    if (this.#known.has(path)) return;
    await mkdir(path, { recursive: true });
    for (let at = path; at !== this.#root; at = dirname(at)) await syncFolder(join(at, '..'));
    this.#known.add(path);
  }
}

/** Nothing there, be it the file or a folder on its path. */
async function absentAsUndefined<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}
