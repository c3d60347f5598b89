import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

const alive = new Set<ChildProcess>();
// Those that do not talk with their parent would outlive it.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export interface ChildOptions {
  /** Its URL. */
  readonly file: string;
  readonly parameters?: readonly string[];
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where what it writes goes. */
  readonly log: WriteStream;
}

/** A process of chaos that talks with its parent. */
export class Child {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #first = Promise.withResolvers<unknown>();
  #id = 0;

  constructor({ file, parameters = [], flags = [], env = {}, log }: ChildOptions) {
    this.#child = spawn(process.execPath, [...flags, fileURLToPath(file), ...parameters], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    alive.add(this.#child);
    this.#child.once('exit', () => alive.delete(this.#child));
    this.#child.stdout?.pipe(log, { end: false });
    this.#child.stderr?.pipe(log, { end: false });
    this.#ended = once(this.#child, 'exit').then(([code, signal]) => `${signal ?? code}`);
    this.#first.promise.catch(() => {});
    this.#child.once('message', (message) => this.#first.resolve(message));
    this.#child.on('message', (message: Answer) => this.#waiting.get(message.id)?.resolve(message));
    void this.#ended.then((how) => {
      const over = new Error(`${file} ended (${how})`);
      this.#first.reject(over);
      for (const { reject } of this.#waiting.values()) reject(over);
    });
  }

  /** What it says first, once it is ready. Rejects when it ends before that. */
  ready(): Promise<unknown> {
    return this.#first.promise;
  }

  /** Sends an order, and waits for its answer. Rejects when the process ends first. */
  async ask(order: object): Promise<Answer> {
    if (!this.isAlive) throw new Error('the process has ended');
    const id = ++this.#id;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(id, answer);
    this.#child.send({ id, order }, () => {});
    try {
      return await answer.promise;
    } finally {
      this.#waiting.delete(id);
    }
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves with its exit code or the signal that ended it. */
  get ended(): Promise<string> {
    return this.#ended;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    if (this.isAlive) this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

export interface Answer {
  readonly id: number;
  readonly [member: string]: unknown;
}

/** Appends to a file what children write. */
export function logTo(path: string): WriteStream {
  return createWriteStream(path, { flags: 'a' }).setMaxListeners(0);
}
