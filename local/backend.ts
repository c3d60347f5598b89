import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileArchive } from './file-archive.ts';
import { lockFolder } from './folder-lock.ts';
import { LazySiemFile } from './lazy-siem-file.ts';
import { LocalSiem } from './siem.ts';
import { SiemFile } from './siem-file.ts';
import { SiemLedger } from './siem-ledger.ts';
import { Database } from './sqlite.ts';
import { SqliteCursorStore } from './sqlite-cursor-store.ts';
import { SqliteLedger } from './sqlite-ledger.ts';
import { SqliteQueue } from './sqlite-queue.ts';
import { storageError } from './storage-errors.ts';

/** Tries of a message whose object cannot be read, before it is set aside. */
const MAX_RECEIVES = 20;

/** The destination that the local SIEM consumes. */
export const SIEM = 'siem';

/**
 * A push destination's queue, as the deployed one is: a sink may be down for four days, at a try a quarter of an hour
 * (design §5). A start counts anew.
 */
const PUSH_QUEUE = { visibilityMs: 15 * 60_000, maxReceives: 400 };

/** Where things lie in a data folder. */
export function pathsIn(folder: string) {
  return {
    /** Cursor rows, the queues and the ledger of what sinks were given. */
    state: join(folder, 'orglog.sqlite'),
    archive: join(folder, 'archive'),
    /** What was last run in it: run-file.ts. */
    run: join(folder, 'run.json'),
    siem: join(folder, 'siem.ndjson'),
    siemLedger: join(folder, 'siem.sqlite'),
    siemIdentities: join(folder, 'siem-identities.ndjson'),
    siemIdentitiesLedger: join(folder, 'siem-identities.sqlite'),
    /** The provider stand-in's log; there only when the folder is its. */
    provider: join(folder, 'provider.sqlite'),
  };
}

/** The data folder, created where needed and locked for this process. */
export async function claimFolder(folder: string): Promise<Disposable> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw storageError(error, 'Creating the data folder', folder);
  }
  return lockFolder(folder);
}

/** A destination's queue. */
export function openQueue(database: Database, destination: string): SqliteQueue {
  // The folder's lock leaves one consumer only. A message that a killed one had received is there for the SIEM at
  // once, and in its place: the SIEM's file keeps the log's order.
  const limits =
    destination === SIEM ? { visibilityMs: 0, longestHidingMs: 0, maxReceives: MAX_RECEIVES } : PUSH_QUEUE;
  return new SqliteQueue(database, { name: destination, ...limits, now: Date.now });
}

/** The embedded ports of one data folder, and the SIEM at the end of its queue. */
export interface Backend extends AsyncDisposable {
  readonly cursors: SqliteCursorStore;
  readonly archive: FileArchive;
  readonly queue: SqliteQueue;
  readonly siem: LocalSiem;
  readonly siemFile: SiemFile;
  /** Where the identity feed goes; there once something came. */
  readonly siemIdentities: LazySiemFile;
  readonly ledger: SqliteLedger;
  /** The queue of a destination by push. What a killed process had received of it is there at once. */
  pushQueue(destination: string): SqliteQueue;
}

/** Opens what a claimed folder holds. @throws OrglogError `storage` */
export async function openBackend(folder: string): Promise<Backend> {
  const paths = pathsIn(folder);
  await using opened = new AsyncDisposableStack();
  const database = opened.use(new Database(paths.state));
  const archive = await FileArchive.open(paths.archive);
  const ledger = opened.use(new SiemLedger(paths.siemLedger));
  const siemFile = opened.use(await SiemFile.open(paths.siem, ledger));
  const siemIdentities = opened.use(new LazySiemFile(paths.siemIdentities, paths.siemIdentitiesLedger));
  const queue = openQueue(database, SIEM);
  const siem = new LocalSiem(queue, archive, async (key) =>
    key.startsWith('identities/') ? await siemIdentities.open() : siemFile,
  );
  const pushQueue = (name: string) => {
    const push = openQueue(database, name);
    push.showAll();
    return push;
  };
  const deliveries = new SqliteLedger(database);
  const all = opened.move();
  return {
    cursors: new SqliteCursorStore(database),
    archive,
    queue,
    siem,
    siemFile,
    siemIdentities,
    ledger: deliveries,
    pushQueue,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
