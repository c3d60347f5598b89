import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const ENTRY = join(import.meta.dirname, '../../cli/orglog.ts');

/** How a command ended. */
export interface Ended {
  /** Exit code, or the name of the signal that ended it. */
  readonly outcome: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command in a process of its own. */
export interface Running extends AsyncDisposable {
  readonly ended: Promise<Ended>;
  /** Resolves once stdout matches; rejects when the command ends before. */
  printed(pattern: RegExp): Promise<void>;
  /** The same of stderr. */
  complained(pattern: RegExp): Promise<void>;
  /** As `head` does once it has seen enough. */
  stopReading(): void;
  kill(signal: NodeJS.Signals): void;
}

/** Start `orglog` with nothing of this process's environment but what is named. */
export function startOrglog(args: readonly string[], env: Record<string, string> = {}): Running {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, [ENTRY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { TZ: 'UTC', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ outcome: signal ?? code, stdout, stderr }));
  const until = async (stream: Readable, text: () => string, pattern: RegExp) => {
    while (!pattern.test(text())) {
      const over = await Promise.race([ended, once(stream, 'data')]);
      if ('outcome' in over && !pattern.test(text())) {
        throw new Error(`ended without printing ${pattern}: ${JSON.stringify(over)}`);
      }
    }
  };
  return {
    ended,
    printed: (pattern) => until(child.stdout, () => stdout, pattern),
    complained: (pattern) => until(child.stderr, () => stderr, pattern),
    stopReading: () => child.stdout.destroy(),
    kill: (signal) => child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Run `orglog` to its end. */
export async function orglog(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  await using running = startOrglog(args, env);
  return await running.ended;
}
