import { join } from 'node:path';
import { EnvironmentCredentials } from '../../local/environment-credentials.ts';
import { FileArchive } from '../../local/file-archive.ts';
import { Database } from '../../local/sqlite.ts';
import { SqliteCursorStore } from '../../local/sqlite-cursor-store.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { archiveContract } from '../contracts/archive.ts';
import { credentialSourceContract } from '../contracts/credential-source.ts';
import { cursorStoreContract } from '../contracts/cursor-store.ts';
import { messageQueueContract, type TimedMessageQueueHarness } from '../contracts/message-queue.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function makeDatabase() {
  const folder = await temporaryFolder();
  const database = new Database(join(folder.path, 'state', 'orglog.sqlite'));
  const dispose = async () => {
    database.close();
    await folder[Symbol.asyncDispose]();
  };
  return { database, dispose };
}

cursorStoreContract('SQLite', async () => {
  const { database, dispose } = await makeDatabase();
  return { store: new SqliteCursorStore(database), [Symbol.asyncDispose]: dispose };
});

archiveContract('files', async () => {
  const folder = await temporaryFolder();
  const archive = await FileArchive.open(join(folder.path, 'archive'));
  return { archive, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
});

async function makeQueue(): Promise<TimedMessageQueueHarness> {
  const { database, dispose } = await makeDatabase();
  const visibilityMs = 30_000;
  const maxReceives = 3;
  let now = Date.UTC(2026, 0, 2);
  return {
    queue: new SqliteQueue(database, { name: 'siem', visibilityMs, maxReceives, now: () => now }),
    visibilityMs,
    maxReceives,
    advance: async (durationMs) => {
      now += durationMs;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

messageQueueContract('SQLite', makeQueue, makeQueue);

credentialSourceContract('environment', async (stored) => {
  const environment: Record<string, string | undefined> = {};
  const replace = async (changed: typeof stored) => {
    environment.ORGLOG_USERNAME = changed.username;
    environment.ORGLOG_PASSWORD = changed.password;
  };
  await replace(stored);
  return {
    source: new EnvironmentCredentials(environment),
    secretName: stored.username ? 'ORGLOG_PASSWORD' : 'ORGLOG_USERNAME',
    replace,
    [Symbol.asyncDispose]: async () => {},
  };
});
