import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export type Child = ChildProcessByStdio<null, Readable, null>;

/** Runs a TypeScript file of this folder in a process of its own, with the Node that runs the tests. */
export function startChild(file: string, ...parameters: readonly string[]): Child {
  const options = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, file), ...parameters];
  return spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** How a child ended: its exit code, or the signal that ended it. */
export async function outcomeOf(child: Child): Promise<number | string> {
  const [code, signal] =
    child.exitCode === null && child.signalCode === null
      ? await once(child, 'close')
      : [child.exitCode, child.signalCode];
  return signal ?? code;
}
