import { join } from 'node:path';
import { Database } from '../../../local/sqlite.ts';
import { SqliteLedger } from '../../../local/sqlite-ledger.ts';
import { ledgerContract } from '../../contracts/ledger.ts';
import { temporaryFolder } from '../../local/temporary-folder.ts';
import { MemoryLedger } from '../../memory/memory-ledger.ts';

ledgerContract('in memory', async () => ({
  ledger: new MemoryLedger(),
  [Symbol.asyncDispose]: async () => {},
}));

ledgerContract('SQLite', async () => {
  const folder = await temporaryFolder();
  const database = new Database(join(folder.path, 'orglog.sqlite'));
  return {
    ledger: new SqliteLedger(database),
    async [Symbol.asyncDispose]() {
      database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
});
