import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { contentOf, never } from '../contracts/support.ts';
import { outcomeOf, startChild } from './child-process.ts';
import { durableKey, durableObject, openState } from './durable-state.ts';
import { filesBelow, temporaryFolder } from './temporary-folder.ts';

/** Lets a process work until it has reported this many steps, kills it, and returns all that it reported. */
async function workUntilKilled(folder: string, steps: number): Promise<number[]> {
  const child = startChild(new URL('./durability-child.ts', import.meta.url), folder);
  const ended = outcomeOf(child);
  const reported: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    reported.push(Number(line));
    if (reported.length === steps) child.kill('SIGKILL');
  }
  expect(await ended).toBe('SIGKILL');
  return reported;
}

describe('the embedded default, killed again and again', () => {
  it('keeps every object, row and message that was reported as done', async () => {
    await using folder = await temporaryFolder();
    const reported: number[] = [];
    for (const steps of [1, 17, 40, 2, 25]) reported.push(...(await workUntilKilled(folder.path, steps)));
    expect(reported.length).toBeGreaterThanOrEqual(85);
    expect(new Set(reported).size).toBe(reported.length);

    const { database, archive, rows, queue } = await openState(folder.path);
    using _closing = database;
    const row = await rows.read(durableKey, never);
    const last = row?.sequence ?? 0;
    expect(last).toBeGreaterThanOrEqual(Math.max(...reported));
    expect(row?.token).toBe(`t${last}`);

    const messages = new Set<string>();
    for (
      let received = await queue.receive(10, never);
      received.length > 0;
      received = await queue.receive(10, never)
    ) {
      for (const message of received) messages.add(message.body);
    }
    for (const n of reported) expect(messages).toContain(`message ${n}`);

    // Beyond the last committed one there may be the object of a process that died before its commit.
    const present = new Set<string>();
    for (let n = 1; n <= last + 1; n += 1) {
      const { key, body, metadata } = durableObject(n);
      const head = await archive.head(key, never);
      if (n > last && head === undefined) continue;
      expect(head?.metadata).toStrictEqual(metadata);
      expect((await contentOf(archive, key))?.equals(Buffer.concat(body))).toBe(true);
      present.add(key);
    }
    const files = await filesBelow(join(folder.path, 'archive'));
    expect(files.filter((file) => file.endsWith('.gz'))).toStrictEqual([...present].sort());
    expect(files).toHaveLength(2 * present.size);
  });
});
