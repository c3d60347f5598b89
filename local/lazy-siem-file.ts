import { existsSync } from 'node:fs';
import { SiemFile } from './siem-file.ts';
import { type Settled, SiemLedger } from './siem-ledger.ts';

/** A file of the local SIEM that is not there before something is put into it. */
export class LazySiemFile implements AsyncDisposable {
  readonly path: string;
  readonly #ledgerPath: string;
  readonly #opened = new AsyncDisposableStack();
  #file: Promise<SiemFile> | undefined;
  #ledger: SiemLedger | undefined;

  constructor(path: string, ledgerPath: string) {
    this.path = path;
    this.#ledgerPath = ledgerPath;
    // What an earlier session took in counts from the start.
    if (existsSync(ledgerPath)) this.#ledger = this.#opened.use(new SiemLedger(ledgerPath));
  }

  get settled(): Settled {
    return this.#ledger?.settled() ?? { bytes: 0, lines: 0 };
  }

  /** @throws OrglogError `storage` when it cannot be used; the next call tries again */
  open(): Promise<SiemFile> {
    this.#file ??= this.#open().catch((error: unknown) => {
      this.#file = undefined;
      throw error;
    });
    return this.#file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }

  async #open(): Promise<SiemFile> {
    this.#ledger ??= this.#opened.use(new SiemLedger(this.#ledgerPath));
    return this.#opened.use(await SiemFile.open(this.path, this.#ledger));
  }
}
