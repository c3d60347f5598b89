import { DatabaseSync } from 'node:sqlite';
import { OrglogError } from '../../functions/core/errors.ts';

/**
 * Open the stand-in's state: `':memory:'`, or a file that survives a killed process (write-ahead log).
 *
 * The file is locked for as long as it is open, so that two stand-ins never number the same log: a second one gets an
 * `OrglogError` (`storage`) at once.
 */
export function openDatabase(file: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    // An event is 500 to 700 bytes: larger pages keep a thousand of them in few reads. NORMAL loses nothing when the
    // process dies, only when the machine does.
    db.exec(`
      PRAGMA page_size = 16384;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      BEGIN EXCLUSIVE;
      COMMIT;
    `);
    return db;
  } catch (error) {
    db?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new OrglogError(
      'storage',
      `the provider stand-in cannot open its state file ${file}: ${reason}; stop the other process that uses it, or name another file`,
      { cause: error },
    );
  }
}

/** Run `work` in one transaction: all of it is kept, or none. Inside another one it shares that one's fate. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has rolled back by itself, and a second time would hide why.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
