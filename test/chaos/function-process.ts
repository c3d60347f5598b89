import type { WriteStream } from 'node:fs';
import { Child } from './child.ts';
import type { ClockFile } from './clock-file.ts';

export type FunctionName = 'collect' | 'sync' | 'splunk' | 'elastic';

export interface Invocation {
  readonly event: unknown;
  readonly timeoutMs: number;
}

/** How an invocation ended; `error`: it failed, or its process did. */
export type Ended = { readonly answer: unknown } | { readonly error: string };

export interface FunctionOptions {
  readonly name: FunctionName;
  readonly clock: ClockFile;
  readonly env: Readonly<Record<string, string>>;
  readonly log: WriteStream;
  readonly timeoutMs: number;
}

/** One container of a function: killed, another one takes its place at the next invocation, as with Lambda. */
export class FunctionProcess implements AsyncDisposable {
  readonly #options: FunctionOptions;
  #child: Child | undefined;

  constructor(options: FunctionOptions) {
    this.#options = options;
  }

  /** One at a time. Never rejects. What takes longer than it may is ended, as Lambda does. */
  async invoke(event: unknown): Promise<Ended> {
    const { timeoutMs } = this.#options;
    try {
      const child = await this.#container();
      const timer = setTimeout(() => child.signal('SIGKILL'), timeoutMs + LATE_MS);
      try {
        const { answer, error } = await child.ask({ event, timeoutMs } satisfies Invocation);
        return typeof error === 'string' ? { error } : { answer };
      } finally {
        clearTimeout(timer);
      }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.signal(name);
  }

  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #container(): Promise<Child> {
    if (this.#child?.isAlive) return this.#child;
    const { name, clock, env, log } = this.#options;
    const file = import.meta.resolve('./function-child.ts');
    const own = { ...env, ...clock.env };
    this.#child = new Child({ file, parameters: [name], flags: clock.flags, env: own, log });
    await this.#child.ready();
    return this.#child;
  }
}

/** For the way of the answer. */
const LATE_MS = 250;
