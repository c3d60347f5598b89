import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { parseUsage, type Usage } from './usage.ts';

/** A process that serves for as long as it is held: its standard input is its life line. */
export interface Server extends AsyncDisposable {
  readonly url: string;
}

function start(file: string, parameter: string, env: NodeJS.ProcessEnv) {
  const path = fileURLToPath(import.meta.resolve(file));
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path, parameter], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** Start the provider (bench/provider.ts) with so many pages of its own; it serves them round and round. */
export async function startProvider(distinctPages: number): Promise<Server> {
  const child = start('./provider.ts', String(distinctPages), process.env);
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>,
    exited.then(([code]) => Promise.reject(new Error(`the provider ended with ${code} before it listened`))),
  ]);
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(line));
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Run one of the `child-*.ts` to its end: every measurement starts with a fresh process. */
export async function measureChild(file: string, parameter: string, env = process.env): Promise<Usage> {
  const child = start(file, parameter, env);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${parameter}`);
  return parseUsage(output);
}
