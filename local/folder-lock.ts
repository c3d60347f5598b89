import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OrglogError } from '../functions/core/errors.ts';
import { isLocked, storageError } from './storage-errors.ts';

const LOCK = 'lock.sqlite';

/** Whether a process works in this data folder. @throws OrglogError `storage` */
export function isAtWork(folder: string): boolean {
  const path = join(folder, LOCK);
  if (!existsSync(path)) return false;
  try {
    using database = new DatabaseSync(path, { timeout: 0, readOnly: true });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isLocked(error)) return true;
    throw storageError(error, 'Looking for the lock of the data folder', path);
  }
}

/**
 * Makes this process the only one that works in a data folder, until disposed of or dead: the lock is an open exclusive
 * transaction, which the operating system ends with its process, however that dies.
 *
 * @throws OrglogError `busy` when another process holds it, `storage` when the folder cannot be used
 */
export function lockFolder(folder: string): Disposable {
  const path = join(folder, LOCK);
  let database: DatabaseSync | undefined;
  try {
    // Somebody may be asking at this moment.
    database = new DatabaseSync(path, { timeout: 50 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isLocked(error)) {
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
