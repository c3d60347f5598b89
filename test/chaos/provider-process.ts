import type { WriteStream } from 'node:fs';
import { Child } from './child.ts';
import type { ProviderFault, ProviderPath } from './plan.ts';

export interface ProviderParameters {
  /** Where its state lies. */
  readonly file: string;
  /** 0: any. */
  readonly port: number;
  readonly orgUrl: string;
  readonly orgDomain: string;
  readonly username: string;
  readonly password: string;
  readonly seed: number;
  readonly eventsPerSecond: number;
  /** How many there are at first. */
  readonly identities: number;
}

export type ProviderOrder =
  | {
      readonly kind: 'fault';
      readonly path: ProviderPath;
      readonly times: number;
      readonly fault: ProviderFault;
    }
  /** Forget all faults to come. */
  | { readonly kind: 'calm' }
  /** Nothing happens any more. */
  | { readonly kind: 'rest' };

/** The provider of one world: a process that comes back at its address whenever it is killed. */
export class ProviderProcess implements AsyncDisposable {
  readonly url: string;
  readonly #parameters: ProviderParameters;
  readonly #log: WriteStream;
  #child: Child;
  /** One kill waits for what the one before it started. */
  #restarted = Promise.resolve();

  private constructor(child: Child, url: string, parameters: ProviderParameters, log: WriteStream) {
    this.#child = child;
    this.url = url;
    this.#parameters = { ...parameters, port: Number(new URL(url).port) };
    this.#log = log;
  }

  static async start(parameters: ProviderParameters, log: WriteStream): Promise<ProviderProcess> {
    const child = start(parameters, log);
    const { url } = (await child.ready()) as { url: string };
    return new ProviderProcess(child, url, parameters, log);
  }

  /** Kills it, and starts it anew: what was to go wrong is forgotten. */
  async kill(): Promise<void> {
    this.#restarted = this.#restarted.then(async () => {
      await this.#child.kill();
      this.#child = start(this.#parameters, this.#log);
      await this.#child.ready();
    });
    await this.#restarted;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.signal(name);
  }

  async order(order: ProviderOrder): Promise<void> {
    await this.#child.ask(order);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#restarted;
    await this.#child.kill();
  }
}

function start(parameters: ProviderParameters, log: WriteStream): Child {
  const file = import.meta.resolve('./provider-child.ts');
  return new Child({ file, parameters: [JSON.stringify(parameters)], flags: NO_WARNINGS, log });
}

const NO_WARNINGS = ['--disable-warning=ExperimentalWarning'];
