import { operatorArchiveContract } from '../contracts/operator-archive.ts';
import { operatorCursorsContract } from '../contracts/operator-cursors.ts';
import { operatorLedgerContract } from '../contracts/operator-ledger.ts';
import { buryByReceiving, operatorQueueContract } from '../contracts/operator-queue.ts';
import { operatorSecretsContract } from '../contracts/operator-secrets.ts';
import { MemoryArchive } from './memory-archive.ts';
import { MemoryCursorStore } from './memory-cursor-store.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { MemoryQueue } from './memory-queue.ts';
import { MemorySecrets } from './memory-secrets.ts';

const nothing = { [Symbol.asyncDispose]: async () => {} };
const now = () => 1_767_323_045_678;

operatorCursorsContract('in memory', async () => ({ cursors: new MemoryCursorStore(), ...nothing }));
operatorArchiveContract('in memory', async () => ({ archive: new MemoryArchive(now), now, ...nothing }));
operatorLedgerContract('in memory', async () => ({ ledger: new MemoryLedger(), ...nothing }));
operatorSecretsContract('in memory', async () => ({
  ...{ secrets: new MemorySecrets(['orglog/logs/institution'], now), now, ...nothing },
  ...{ empty: 'orglog/logs/institution', missing: 'orglog/logs/elsewhere' },
}));

operatorQueueContract('in memory', async () => {
  let time = now();
  const visibilityMs = 30_000;
  const queue = new MemoryQueue({ visibilityMs, maxReceives: 1, now: () => time });
  const age = async (seconds: number) => {
    time += seconds * 1000;
  };
  return {
    queue,
    now: () => time,
    age,
    bury: () => buryByReceiving(queue, () => age(visibilityMs / 1000)),
    ...nothing,
  };
});
