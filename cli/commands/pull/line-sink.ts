import { fstatSync, fsync, ftruncate, write } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { Screen } from '../../world.ts';

/** Where whole lines go, in pieces that each end with a line's end. */
export interface LineSink extends AsyncDisposable {
  /**
   * Resolves once all of the piece is handed over.
   *
   * @throws ReaderGone
   * @throws OrglogError `storage`; of a file nothing of this piece is left
   */
  write(lines: Uint8Array): Promise<void>;
  /** Makes what was written outlast a power failure, where it is a file. @throws OrglogError `storage` */
  finish(): Promise<void>;
}

/** Nobody reads what is written any more (`… | head`). */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/**
 * A new file, or the end of one that is there.
 *
 * @throws OrglogError `configuration` where it is there already (without `append`), or ends within a line
 */
export async function fileSink(path: string, append: boolean): Promise<LineSink> {
  let file: FileHandle;
  try {
    file = await open(path, append ? 'a+' : 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new OrglogError(
        'configuration',
        `${path} is there already: name another file, or add to its end with --append`,
        { cause: error },
      );
    }
    throw notWritten(error, path);
  }
  try {
    await refuseTorn(file, path);
  } catch (error) {
    await file.close();
    throw error;
  }
  return new FileSink(file.fd, path, () => file.close());
}

/** Standard output: a file that the shell opened is written as one, so that no line of it is torn on a full disk. */
export function outputSink(out: Screen & { readonly fd?: number }): LineSink {
  const isFile = out.fd !== undefined && fstatSync(out.fd).isFile();
  return isFile && out.fd !== undefined
    ? new FileSink(out.fd, 'standard output', async () => {})
    : new StreamSink(out);
}

const [writeTo, truncate, sync] = [promisify(write), promisify(ftruncate), promisify(fsync)];

class FileSink implements LineSink {
  readonly #fd: number;
  readonly #path: string;
  readonly #close: () => Promise<void>;
  #size: number;

  constructor(fd: number, path: string, close: () => Promise<void>) {
    this.#fd = fd;
    this.#path = path;
    this.#close = close;
    this.#size = fstatSync(fd).size;
  }

  async write(lines: Uint8Array): Promise<void> {
    let done = 0;
    try {
      while (done < lines.length) done += (await writeTo(this.#fd, lines, done)).bytesWritten;
    } catch (error) {
      await this.#takeBack(done);
      throw notWritten(error, this.#path);
    }
    this.#size += done;
  }

  async finish(): Promise<void> {
    try {
      await sync(this.#fd);
    } catch (error) {
      throw notWritten(error, this.#path);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  /** Only what is known to be ours: a file that others write to as well is left as it is. */
  async #takeBack(bytes: number): Promise<void> {
    if (bytes > 0 && fstatSync(this.#fd).size === this.#size + bytes) await truncate(this.#fd, this.#size);
  }
}

class StreamSink implements LineSink {
  readonly #out: Writable;
  readonly #ignore = () => {};

  constructor(out: Writable) {
    this.#out = out;
    // Each write tells of its own error.
    out.on('error', this.#ignore);
  }

  write(lines: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out.write(lines, (error) => {
        if (!error) resolve();
        else if (GONE.has(codeOf(error))) reject(new ReaderGone());
        else reject(notWritten(error, 'standard output'));
      });
    });
  }

  async finish(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#out.off('error', this.#ignore);
  }
}

const GONE = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);
const LF = 0x0a;

async function refuseTorn(file: FileHandle, path: string): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] === LF) return;
  throw new OrglogError(
    'configuration',
    `${path} ends within a line: what would be added to it would be part of that line. Complete it, or name another file`,
  );
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'give this user access to it, or name another file',
  EDQUOT: 'the disk quota is used up: free some space, and go on from the token below',
  EISDIR: 'it is a folder: name a file',
  ENOENT: 'its folder is not there: make it first',
  ENOSPC: 'the disk is full: free some space, and go on from the token below',
  EROFS: 'the file system is read-only: name another file',
};

function notWritten(error: unknown, path: string): OrglogError {
  const code = codeOf(error);
  const hint = HINTS[code] ?? 'check the disk';
  return new OrglogError('storage', `${path} cannot be written (${code}): ${hint}`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
