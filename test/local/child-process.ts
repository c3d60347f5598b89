import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Runs a TypeScript file in a process of its own, with the Node that runs the tests. */
export function startChild(file: URL, ...parameters: readonly string[]): Child {
  const options = ['--disable-warning=ExperimentalWarning', fileURLToPath(file), ...parameters];
  return spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** How a child ended: its exit code, or the signal that ended it. Call it at once: an end before that is missed. */
export async function outcomeOf(child: Child): Promise<number | string> {
  const [code, signal] = await once(child, 'close');
  return signal ?? code;
}
