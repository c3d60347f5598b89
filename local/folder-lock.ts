import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrglogError } from '../functions/core/errors.ts';
import { storageError } from './storage-errors.ts';

/** SQLite's primary result code for a lock that somebody else holds (https://www.sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/**
 * Makes this process the only one that works in a data folder, until disposed of or dead: the lock is an open exclusive
 * transaction, which the operating system ends with its process, however that dies.
 *
 * @throws OrglogError `busy` when another process holds it, `storage` when the folder cannot be used
 */
export function lockFolder(folder: string): Disposable {
  const path = join(folder, 'lock.sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new OrglogError(
        'busy',
        `another orglog is at work in ${folder}: stop that one first, or name another folder with --data-dir`,
        { cause: error },
      );
    }
    throw storageError(error, 'Locking the data folder', path);
  }
  const held = database;
  return { [Symbol.dispose]: () => held.close() };
}
