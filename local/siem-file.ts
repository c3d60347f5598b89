import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OrglogError } from '../functions/core/errors.ts';
import { syncFolder } from './durable-files.ts';
import type { Settled, SiemLedger } from './siem-ledger.ts';
import { storageError } from './storage-errors.ts';

const LF = 0x0a;

/**
 * The file that the local SIEM appends its events to, exactly once each: what lies beyond the settled length is the torn
 * tail of an append that died, and is cut off before the next one.
 */
export class SiemFile implements AsyncDisposable {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #ledger: SiemLedger;

  private constructor(path: string, file: FileHandle, ledger: SiemLedger) {
    this.path = path;
    this.#file = file;
    this.#ledger = ledger;
  }

  /**
   * Opens the file, creating it where needed. A file that was moved away or emptied begins anew.
   * @throws OrglogError `storage` when it cannot be used, or has lost a part of what was settled
   */
  static async open(path: string, ledger: SiemLedger): Promise<SiemFile> {
    const file = await open(path, 'a').catch((error: unknown) => {
      throw storageError(error, "Opening the SIEM's file", path);
    });
    try {
      await syncFolder(dirname(path));
      const { size } = await file.stat();
      const { bytes } = ledger.settled();
      if (size === 0 && bytes > 0) ledger.beginFile();
      else if (size < bytes) throw shortened(path, size, bytes);
      await file.truncate(ledger.settled().bytes);
      return new SiemFile(path, file, ledger);
    } catch (error) {
      await file.close();
      throw storageError(error, "Opening the SIEM's file", path);
    }
  }

  get settled(): Settled {
    return this.#ledger.settled();
  }

  has(key: string): boolean {
    return this.#ledger.isDone(key);
  }

  /**
   * Append one object's lines: all of them and durably, or, whatever fails, none.
   *
   * @param content the object's lines, each ended by LF
   * @throws OrglogError `storage` when the file cannot be written; otherwise what `content` throws
   */
  async append(key: string, content: AsyncIterable<Uint8Array>): Promise<Settled> {
    let { bytes, lines } = this.#ledger.settled();
    await this.#writing(() => this.#file.truncate(bytes));
    for await (const chunk of content) {
      await this.#writing(() => this.#file.appendFile(chunk));
      bytes += chunk.length;
      lines += lineEnds(chunk);
    }
    await this.#writing(() => this.#file.datasync());
    this.#ledger.settle(key, { bytes, lines });
    return { bytes, lines };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #writing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw storageError(error, "Writing the SIEM's file", this.path);
    }
  }
}

function lineEnds(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) count++;
  return count;
}

function shortened(path: string, size: number, settled: number): OrglogError {
  return new OrglogError(
    'storage',
    `${path} has ${size} bytes, but ${settled} were written: something cut it. Put it back, or move it away to begin a new one`,
  );
}
