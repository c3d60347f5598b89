import type { WriteStream } from 'node:fs';
import { newClients } from '../aws/clients.ts';
import type { Services } from '../aws/services.ts';
import type { Fault } from '../aws/wire.ts';
import { Child } from './child.ts';
import type { ClockFile } from './clock-file.ts';

export type ServicesOrder =
  | { readonly kind: 'fail'; readonly operation: string; readonly fault: Fault; readonly times: number }
  | { readonly kind: 'latency'; readonly delayMs: number }
  /** Forget all faults to come. */
  | { readonly kind: 'calm' }
  /** What befell so far. */
  | { readonly kind: 'tell' };

/** A fault of AWS that a request met; epoch ms. */
export interface BefallenFault {
  readonly operation: string;
  readonly kind: string;
  readonly atMs: number;
}

/** The stand-ins of AWS of one world. They keep everything in memory, so that they may stand still, but not die. */
export class ServicesProcess implements AsyncDisposable {
  /** As the tests' own helpers want them. */
  readonly services: Services;
  readonly env: Readonly<Record<string, string>>;
  readonly #child: Child;

  private constructor(child: Child, endpoints: Readonly<Record<string, string>>) {
    this.#child = child;
    this.env = {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      ...endpoints,
    };
    const unknown = () => Promise.reject(new Error('orders go to the process of chaos'));
    this.services = {
      ...{ env: this.env, region: 'us-east-1', clients: newClients(this.env) },
      ...{ wire: { counts: unknown, reset: unknown, fail: unknown }, describe: unknown },
      [Symbol.asyncDispose]: async () => {},
    };
  }

  static async start(clock: ClockFile, log: WriteStream): Promise<ServicesProcess> {
    const file = import.meta.resolve('./services-child.ts');
    const child = new Child({ file, flags: clock.flags, env: clock.env, log });
    return new ServicesProcess(child, (await child.ready()) as Record<string, string>);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.signal(name);
  }

  async order(order: ServicesOrder): Promise<void> {
    await this.#child.ask(order);
  }

  async befallen(): Promise<readonly BefallenFault[]> {
    return (await this.#child.ask({ kind: 'tell' })).befallen as BefallenFault[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of Object.values(this.services.clients)) client.destroy();
    await this.#child.kill();
  }
}
