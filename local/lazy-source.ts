import type { LogSource, PageAnswer, PageRequest } from '../functions/core/ports.ts';

type Opened = LogSource & AsyncDisposable;

/** A log source that is opened by the first call: what fails then is that call's error, and the next one tries again. */
export class LazySource implements LogSource, AsyncDisposable {
  readonly #open: () => Promise<Opened>;
  #opening: Promise<Opened> | undefined;

  constructor(open: () => Promise<Opened>) {
    this.#open = open;
  }

  async readPage(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
    return (await this.#source()).readPage(request, signal);
  }

  async permittedOrgUrls(signal: AbortSignal): Promise<readonly string[] | undefined> {
    return (await this.#source()).permittedOrgUrls(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const source = await this.#opening?.catch(() => undefined);
    await source?.[Symbol.asyncDispose]();
  }

  #source(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }
}
