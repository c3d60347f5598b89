import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../aws/listen.ts';

/** A service that runs. */
export interface Up {
  /** Its address, without a path. */
  readonly url: string;
  /** What a client needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  down(): Promise<void>;
}

/** A service that these tests can start: real, whole, and on loopback alone. */
export interface Service {
  readonly name: string;
  readonly version: string;
  /** @throws Unavailable where it cannot be had here */
  up(): Promise<Up>;
}

export interface DaemonOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Who runs it, and whose group: a numeric id. Default whoever runs the tests. */
  readonly user?: number;
  readonly url: string;
  /** A path that answers, with whatever status, once the service is ready. Default `/`. */
  readonly ready?: string;
  readonly timeoutMs?: number;
}

export interface Daemon {
  down(): Promise<void>;
}

/** Starts a program that serves until it is stopped, and waits for its first answer. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { program, args, cwd, env = {}, user, url, ready = '/', timeoutMs = 120_000 } = options;
  const child = spawn(program, [...args], {
    cwd,
    env: { ...process.env, ...env },
    ...(user !== undefined && { uid: user, gid: user }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
  }
  const exited = once(child, 'exit');
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const down = async () => {
    process.off('exit', end);
    child.kill('SIGKILL');
    await exited;
  };
  const late = Date.now() + timeoutMs;
  while (!(await answers(`${url}${ready}`))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (!ended && Date.now() < late) {
      await pause(100);
      continue;
    }
    await down();
    throw new Error(`${program} ${ended ? 'ended' : 'did not answer'} at its start:\n${said}`);
  }
  return { down };
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}

/** A port that nobody listens on. Whoever takes it next may lose it to another: no test does, and few others. */
export async function freePort(): Promise<number> {
  await using probe = await listen(createServer());
  return Number(new URL(probe.url).port);
}
