import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { FileArchive } from '../../local/file-archive.ts';
import { contentOf, never } from '../contracts/support.ts';
import { outcomeOf, startChild } from './child-process.ts';
import { contestedObject, crashObject } from './crash-object.ts';
import { filesBelow, temporaryFolder } from './temporary-folder.ts';

const { key } = crashObject('');

async function textOf(archive: FileArchive, ofKey: string = key): Promise<string | undefined> {
  return (await contentOf(archive, ofKey))?.toString();
}

/** Checks that the object is whole or not there, and that a put then does what it should. */
async function checkObject(archive: FileArchive): Promise<'stored' | 'absent'> {
  const head = await archive.head(key, never);
  expect(head?.metadata).toStrictEqual(head && { writer: 'child' });
  expect(await textOf(archive)).toBe(head && 'written by child, in two pieces');
  const put = await archive.put(crashObject('parent'), never);
  const winner = head === undefined ? 'parent' : 'child';
  if (winner === 'child') expect(put).toBe('exists');
  else expect(put).toMatchObject({ size: `written by ${winner}, in two pieces`.length });
  expect((await archive.head(key, never))?.metadata).toStrictEqual({ writer: winner });
  expect(await textOf(archive)).toBe(`written by ${winner}, in two pieces`);
  return head === undefined ? 'absent' : 'stored';
}

/** Lets a process die before its nth operation, and looks at what it left as a restart and as a neighbour would. */
async function crashAt(operation: number): Promise<{ finished: boolean; left: 'stored' | 'absent' }> {
  await using folder = await temporaryFolder();
  const [root, copy] = [join(folder.path, 'archive'), join(folder.path, 'copy')];
  const neighbour = await FileArchive.open(root);
  const child = startChild(new URL('./crashing-put-child.ts', import.meta.url), root, String(operation));
  const outcome = await outcomeOf(child);
  expect(['SIGKILL', 0]).toContain(outcome);
  await cp(root, copy, { recursive: true });

  const left = await checkObject(neighbour);
  const restarted = await FileArchive.open(copy);
  expect(await filesBelow(join(copy, '.staged'))).toStrictEqual([]);
  expect(await checkObject(restarted)).toBe(left);
  expect(await filesBelow(copy)).toHaveLength(2);
  return { finished: outcome === 0, left };
}

describe('the archive of files, killed', () => {
  it('holds the whole object or none, before each single operation of a put', async () => {
    const seen: string[] = [];
    for (let from = 1, finished = false; !finished; from += 3) {
      const crashes = await Promise.all([from, from + 1, from + 2].map(crashAt));
      seen.push(...crashes.map((crash) => crash.left));
      finished = crashes.some((crash) => crash.finished);
    }
    // Nothing, then everything: there is one step between the two.
    expect(seen).toStrictEqual(seen.toSorted());
    expect(new Set(seen)).toStrictEqual(new Set(['absent', 'stored']));
    expect(seen.length).toBeGreaterThan(15);
  });
});

describe('the archive of files, shared', () => {
  it('stores each object once, over processes that put it at once', async () => {
    await using folder = await temporaryFolder();
    const writers = ['one', 'two', 'three'];
    const count = 100;
    const children = writers.map((writer) =>
      startChild(
        new URL('./archive-contender-child.ts', import.meta.url),
        folder.path,
        writer,
        String(count),
      ),
    );
    const outcomes = children.map(outcomeOf);
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    const reports = children.map((child) => text(child.stdout));
    for (const child of children) child.stdin.write('start');
    const wins = (await Promise.all(reports)).flatMap((report, i) =>
      (report.match(/\d+/g) ?? []).map((n) => [Number(n), writers[i] ?? ''] as const),
    );
    const winners = new Map(wins);
    expect(wins).toHaveLength(count);
    expect(winners.size).toBe(count);
    expect(await Promise.all(outcomes)).toStrictEqual([0, 0, 0]);
    const archive = await FileArchive.open(folder.path);
    for (let n = 1; n <= count; n += 1) {
      const { key: contested, metadata } = contestedObject(n, winners.get(n) ?? 'nobody');
      expect((await archive.head(contested, never))?.metadata).toStrictEqual(metadata);
      expect(await textOf(archive, contested)).toBe(`written by ${winners.get(n)}, in two pieces`);
    }
    expect(await filesBelow(folder.path)).toHaveLength(2 * count);
  });
});
