import { join } from 'node:path';
import { FileArchive } from '../../local/file-archive.ts';
import { Database } from '../../local/sqlite.ts';
import { SqliteCursorStore } from '../../local/sqlite-cursor-store.ts';
import { SqliteLedger } from '../../local/sqlite-ledger.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { operatorArchiveContract } from '../contracts/operator-archive.ts';
import { operatorCursorsContract } from '../contracts/operator-cursors.ts';
import { operatorLedgerContract } from '../contracts/operator-ledger.ts';
import { buryByReceiving, operatorQueueContract } from '../contracts/operator-queue.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function makeDatabase() {
  const folder = await temporaryFolder();
  const database = new Database(join(folder.path, 'state', 'orglog.sqlite'));
  const dispose = async () => {
    database.close();
    await folder[Symbol.asyncDispose]();
  };
  return { database, [Symbol.asyncDispose]: dispose };
}

operatorCursorsContract('SQLite', async () => {
  const made = await makeDatabase();
  return { ...made, cursors: new SqliteCursorStore(made.database) };
});

operatorArchiveContract('files', async () => {
  const folder = await temporaryFolder();
  const archive = await FileArchive.open(join(folder.path, 'archive'));
  return { archive, now: Date.now, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
});

operatorLedgerContract('SQLite', async () => {
  const made = await makeDatabase();
  return { ...made, ledger: new SqliteLedger(made.database) };
});

operatorQueueContract('SQLite', async () => {
  const made = await makeDatabase();
  let time = Date.UTC(2026, 0, 2);
  const now = () => time;
  const visibilityMs = 30_000;
  const queue = new SqliteQueue(made.database, { name: 'siem', visibilityMs, maxReceives: 1, now });
  const age = async (seconds: number) => {
    time += seconds * 1000;
  };
  return { ...made, queue, now, age, bury: () => buryByReceiving(queue, () => age(visibilityMs / 1000)) };
});
