import { archiveContract } from '../contracts/archive.ts';
import { credentialSourceContract } from '../contracts/credential-source.ts';
import { cursorStoreContract } from '../contracts/cursor-store.ts';
import { messageQueueContract, type TimedMessageQueueHarness } from '../contracts/message-queue.ts';
import { LiteralCredentials } from './literal-credentials.ts';
import { MemoryArchive } from './memory-archive.ts';
import { MemoryCursorStore } from './memory-cursor-store.ts';
import { MemoryQueue } from './memory-queue.ts';

async function nothingToDispose(): Promise<void> {}

cursorStoreContract('in memory', async () => ({
  store: new MemoryCursorStore(),
  [Symbol.asyncDispose]: nothingToDispose,
}));

archiveContract('in memory', async () => ({
  archive: new MemoryArchive(),
  [Symbol.asyncDispose]: nothingToDispose,
}));

async function makeQueue(): Promise<TimedMessageQueueHarness> {
  const visibilityMs = 30_000;
  const maxReceives = 3;
  let now = 0;
  return {
    queue: new MemoryQueue({ visibilityMs, maxReceives, now: () => now }),
    visibilityMs,
    maxReceives,
    advance: async (durationMs) => {
      now += durationMs;
    },
    [Symbol.asyncDispose]: nothingToDispose,
  };
}

messageQueueContract('in memory', makeQueue, makeQueue);

credentialSourceContract('literal', async (stored) => {
  const source = new LiteralCredentials('orglog/institution', stored);
  return {
    source,
    secretName: 'orglog/institution',
    replace: async (changed) => source.replace(changed),
    [Symbol.asyncDispose]: nothingToDispose,
  };
});
