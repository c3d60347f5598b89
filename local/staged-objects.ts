import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type DurableFolders, removeIfThere, syncFolder, writeNew } from './durable-files.ts';
import { hasCode } from './storage-errors.ts';

/** What is known of an object beside its bytes: the content of its sidecar. */
const sidecarSchema = z.object({
  key: z.string(),
  /** Name of the staged bytes that belong to this sidecar. */
  staged: z.string(),
  etag: z.string(),
  size: z.number(),
  contentType: z.string(),
  metadata: z.record(z.string(), z.string()),
});

export type Sidecar = Readonly<z.infer<typeof sidecarSchema>>;

/** `undefined` where the text is not whole: its writer died while writing it. */
export function parseSidecar(text: string): Sidecar | undefined {
  try {
    return sidecarSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Tells this process from an earlier one of the same number, as it happens in containers. */
const processNonce = randomBytes(6).toString('hex');
let stagings = 0;

/** Objects on their way in: bytes in `<folder>/<id>`, sidecar in `<folder>/<id>.json`. */
export class StagedObjects {
  readonly #folder: string;
  readonly #folders: DurableFolders;

  constructor(folder: string, folders: DurableFolders) {
    this.#folder = folder;
    this.#folders = folders;
  }

  newId(): string {
    stagings += 1;
    return `${process.pid}-${processNonce}-${stagings}`;
  }

  bytesPath(id: string): string {
    return join(this.#folder, id);
  }

  sidecarPath(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  /** Writes both files; they outlive a power failure once this resolves. */
  async write(sidecar: Sidecar, body: Iterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    await this.#folders.ensure(this.#folder);
    await writeNew(this.bytesPath(sidecar.staged), body, signal);
    await writeNew(this.sidecarPath(sidecar.staged), [Buffer.from(JSON.stringify(sidecar))], signal);
    await syncFolder(this.#folder);
  }

  async discard(id: string): Promise<void> {
    await removeIfThere(this.bytesPath(id));
    await removeIfThere(this.sidecarPath(id));
  }

  /** What processes that are no more have left. */
  async abandoned(): Promise<string[]> {
    await this.#folders.ensure(this.#folder);
    const ids = (await readdir(this.#folder)).map((name) => name.replace(/\.json$/, ''));
    return [...new Set(ids)].filter((id) => !isInUse(id));
  }
}

function isInUse(id: string): boolean {
  const [pid, nonce] = id.split('-');
  if (Number(pid) === process.pid) return nonce === processNonce;
  try {
    // Signal 0 is none: it only asks whether the process is there.
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
