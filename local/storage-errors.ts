import { OrglogError } from '../functions/core/errors.ts';

const fileHints: Readonly<Record<string, string>> = {
  EACCES: 'give this user access to it, or choose another data folder',
  EPERM: 'give this user access to it, or choose a data folder on a local disk (hard links are needed)',
  ENOTSUP: 'hard links are needed: choose a data folder on a local disk',
  EROFS: 'the file system is read-only: choose another data folder',
  ENOSPC: 'the disk is full: free some space; nothing that was stored is lost',
  EDQUOT: 'the disk quota is used up: free some space; nothing that was stored is lost',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENAMETOOLONG: 'the name is too long for this file system: choose a shorter data folder or organization id',
  ENOTDIR: 'a file is where a folder is needed: move it away',
  EEXIST: 'a file is where a folder is needed: move it away',
  EISDIR: 'a folder is where a file is needed: move it away',
  EXDEV: 'the data folder must lie on one file system',
  EIO: 'the disk reports an error: check it',
};

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const databaseHints: Readonly<Record<number, string>> = {
  3: 'give this user access to it, or choose another data folder',
  5: 'another program keeps it locked: stop that program, or try again',
  6: 'another program keeps it locked: stop that program, or try again',
  8: 'it is read-only: give this user access to it, or choose another data folder',
  10: 'the disk reports an error: check it',
  11: 'it is damaged: restore it from a backup, or move the data folder away to start anew',
  13: 'the disk is full: free some space; nothing that was stored is lost',
  14: 'it cannot be opened: give this user access to its folder, or choose another data folder',
  26: 'it is no database: move the file away, or choose another data folder',
};

/**
 * A failed file or database operation as one of ours.
 * @param action - begins the sentence: `Storing an object`
 */
export function storageError(error: unknown, action: string, path: string): OrglogError {
  if (error instanceof OrglogError) return error;
  const hint = hintFor(error) ?? 'check the disk and the data folder';
  const message = error instanceof Error ? error.message : String(error);
  return new OrglogError('storage', `${action} failed at ${path}: ${hint} (${message})`, { cause: error });
}

/** Whether a file operation failed with this code (`ENOENT`, …). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether SQLite found the database locked by another connection (`SQLITE_BUSY` and its extended codes). */
export function isLocked(error: unknown): boolean {
  return primaryCode(error) === 5;
}

/** SQLite's primary result code: the low byte of what it reports. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return error.errcode & 0xff;
}

function hintFor(error: unknown): string | undefined {
  const code = primaryCode(error);
  if (code !== undefined) return databaseHints[code];
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? fileHints[error.code]
    : undefined;
}
