import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './storage-errors.ts';

const PAGE_FILES = 1_000;

/** Part of an archive's keys. */
export interface Wanted {
  readonly prefix: string;
  /** Keys after this one only. */
  readonly after?: string;
}

/** A key's file; without `file` only its sidecar is there, or it is gone again. */
export interface Found {
  readonly key: string;
  readonly file?: { readonly size: number; readonly storedAt: number };
}

/**
 * The keys below an archive's root that have a sidecar, in the order of their code units, page by page. A folder is
 * read when its turn comes.
 *
 * @param keyOf the last part of the key that a sidecar of this name belongs to; `undefined` for any other name
 */
export async function* listKeys(
  root: string,
  wanted: Wanted,
  keyOf: (name: string) => string | undefined,
): AsyncGenerator<readonly Found[]> {
  let page: string[] = [];
  for await (const key of keysBelow(root, '', wanted, keyOf)) {
    page.push(key);
    if (page.length < PAGE_FILES) continue;
    yield await Promise.all(page.map((each) => find(root, each)));
    page = [];
  }
  if (page.length > 0) yield await Promise.all(page.map((each) => find(root, each)));
}

async function* keysBelow(
  root: string,
  folder: string,
  wanted: Wanted,
  keyOf: (name: string) => string | undefined,
): AsyncGenerator<string> {
  const entries = await namesIn(join(root, folder));
  // A folder's keys go on with a slash, which sorts behind "-" and "." and before letters.
  const paths = entries.flatMap((entry) => {
    if (entry.isDirectory()) return `${folder}${entry.name}/`;
    const name = keyOf(entry.name);
    return name === undefined ? [] : `${folder}${name}`;
  });
  for (const path of paths.sort()) {
    if (!path.endsWith('/')) {
      if (path.startsWith(wanted.prefix) && path > (wanted.after ?? '')) yield path;
    } else if (mayHold(path, wanted)) yield* keysBelow(root, path, wanted, keyOf);
  }
}

function mayHold(folder: string, { prefix, after = '' }: Wanted): boolean {
  const inPrefix = folder.startsWith(prefix) || prefix.startsWith(folder);
  return inPrefix && (folder > after || after.startsWith(folder));
}

async function namesIn(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function find(root: string, key: string): Promise<Found> {
  try {
    const { size, mtimeMs } = await stat(join(root, key));
    return { key, file: { size, storedAt: Math.floor(mtimeMs) } };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { key };
    throw error;
  }
}
