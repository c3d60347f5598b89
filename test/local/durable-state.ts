import { join } from 'node:path';
import type { ObjectToPut } from '../../functions/core/ports.ts';
import { FileArchive } from '../../local/file-archive.ts';
import { Database } from '../../local/sqlite.ts';
import { SqliteCursorStore } from '../../local/sqlite-cursor-store.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { patternedBytes } from '../contracts/support.ts';

export const durableKey = { org: 'institution', stream: 'logs' };

/** Object n: each a different one. */
export function durableObject(n: number): ObjectToPut {
  const bytes = patternedBytes(40_000 + n, n);
  return {
    key: `logs/org=institution/dt=2026-01-02/e1-${String(n).padStart(12, '0')}.ndjson.gz`,
    body: [bytes.subarray(0, 30_000), bytes.subarray(30_000)],
    contentType: 'application/x-ndjson',
    metadata: { count: String(n) },
  };
}

/** Everything of one data folder, as `orglog local` has it. */
export async function openState(folder: string) {
  const database = new Database(join(folder, 'state.sqlite'));
  return {
    database,
    archive: await FileArchive.open(join(folder, 'archive')),
    rows: new SqliteCursorStore(database),
    queue: new SqliteQueue(database, { name: 'siem', visibilityMs: 1, maxReceives: 100, now: () => 1 }),
  };
}
