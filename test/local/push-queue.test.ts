import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Database } from '../../local/sqlite.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { messageVisibilityContract } from '../contracts/message-visibility.ts';
import { never } from '../contracts/support.ts';
import { MemoryQueue } from '../memory/memory-queue.ts';
import { temporaryFolder } from './temporary-folder.ts';

const VISIBILITY_MS = 30_000;
const DAY_MS = 86_400_000;

function timed() {
  let now = Date.UTC(2026, 0, 2);
  return {
    settings: { name: 'splunk', visibilityMs: VISIBILITY_MS, maxReceives: 3, now: () => now },
    visibilityMs: VISIBILITY_MS,
    advance: async (durationMs: number) => {
      now += durationMs;
    },
  };
}

async function sqliteQueue() {
  const folder = await temporaryFolder();
  const database = new Database(join(folder.path, 'orglog.sqlite'));
  const time = timed();
  return {
    ...time,
    queue: new SqliteQueue(database, time.settings),
    another: new SqliteQueue(database, { ...time.settings, name: 'elastic' }),
    async [Symbol.asyncDispose]() {
      database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

messageVisibilityContract('SQLite', sqliteQueue);

messageVisibilityContract('memory', async () => {
  const time = timed();
  return { ...time, queue: new MemoryQueue(time.settings), [Symbol.asyncDispose]: async () => {} };
});

describe('a start of a queue in SQLite', () => {
  test('shows what a dead consumer had received or put back, and counts anew', async () => {
    await using harness = await sqliteQueue();
    const { queue } = harness;
    await queue.send('received', never);
    await queue.send('put back', never);
    await queue.send('untouched', never);
    const [, second] = await queue.receive(2, never);
    await queue.extendVisibility(second?.receipt ?? '', 900_000, never);
    queue.showAll();
    expect(await queue.receive(10, never)).toMatchObject([
      { body: 'received', receiveCount: 1 },
      { body: 'put back', receiveCount: 1 },
      { body: 'untouched', receiveCount: 1 },
    ]);
  });

  test('leaves dead letters and other queues as they are', async () => {
    await using harness = await sqliteQueue();
    const { queue, another } = harness;
    await queue.send('poison', never);
    await another.send('elsewhere', never);
    await another.receive(1, never);
    for (let receive = 0; receive < 4; receive++) {
      await queue.receive(1, never);
      await harness.advance(VISIBILITY_MS);
    }
    await another.receive(1, never);
    queue.showAll();
    expect(await queue.receive(10, never)).toEqual([]);
    expect(await queue.depth(never)).toEqual({ waiting: 0, dead: 1 });
    expect(await another.receive(10, never)).toEqual([]);
  });
});

describe('a clock that was far ahead for a while', () => {
  test('hides nothing that was queued meanwhile', async () => {
    await using harness = await sqliteQueue();
    const { queue } = harness;
    await harness.advance(DAY_MS);
    await queue.send('queued', never);
    await harness.advance(-DAY_MS);
    expect(await queue.standing(never)).toMatchObject({ visible: 1, inFlight: 0 });
    expect(await queue.receive(1, never)).toMatchObject([{ body: 'queued', receiveCount: 1 }]);
  });

  test('hides what was received meanwhile no longer than any message', async () => {
    await using harness = await sqliteQueue();
    const { queue } = harness;
    await queue.send('received', never);
    await harness.advance(DAY_MS);
    await queue.receive(1, never);
    await harness.advance(-DAY_MS);
    expect(await queue.receive(1, never)).toMatchObject([{ body: 'received', receiveCount: 2 }]);
    expect(await queue.receive(1, never)).toEqual([]);
  });
});
