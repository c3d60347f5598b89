import { gunzip } from 'node:zlib';
import { asOrglogError, OrglogError } from '../errors.ts';
import type { Archive, Compressor, ObjectToPut } from '../ports.ts';
import { type Plan, parsePlan } from './plan.ts';

/** Lines given to the compressor at once. */
const LINES_PER_WRITE = 500;

/** The write-once objects that a walk keeps for itself. */
export class WalkStore {
  private readonly archive: Pick<Archive, 'put' | 'get'>;
  private readonly newCompressor: () => Compressor;
  private readonly signal: AbortSignal;

  constructor(archive: Pick<Archive, 'put' | 'get'>, newCompressor: () => Compressor, signal: AbortSignal) {
    this.archive = archive;
    this.newCompressor = newCompressor;
    this.signal = signal;
  }

  async putPlan(key: string, plan: Plan): Promise<'put' | 'exists'> {
    const body = [Buffer.from(JSON.stringify(plan))];
    return this.put({ key, body, contentType: 'application/json', metadata: {} });
  }

  async getPlan(key: string): Promise<Plan | undefined> {
    const bytes = await this.get(key);
    return bytes && parsePlan(bytes.toString(), key);
  }

  /** Lines without their ends. */
  async putLines(key: string, lines: readonly string[]): Promise<'put' | 'exists'> {
    const compressor = this.newCompressor();
    try {
      for (let at = 0; at < lines.length; at += LINES_PER_WRITE) {
        const some = lines.slice(at, at + LINES_PER_WRITE);
        await compressor.write(Buffer.from(`${some.join('\n')}\n`));
      }
      const body = await compressor.finish();
      return await this.put({ key, body, contentType: 'application/x-ndjson', metadata: {} });
    } finally {
      compressor.discard();
    }
  }

  /** What `putLines` put, each line parsed; `undefined` where there is no such object. */
  async getLines<T>(key: string): Promise<readonly T[] | undefined> {
    const bytes = await this.get(key);
    if (bytes === undefined) return undefined;
    let text: string;
    try {
      text = (await unpacked(bytes)).toString();
    } catch (error) {
      throw unreadable(key, asOrglogError(error, 'storage').message);
    }
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line, i) => {
      try {
        return JSON.parse(line) as T;
      } catch {
        // Its error would quote the record.
        throw unreadable(key, `line ${i + 1} is no JSON`);
      }
    });
  }

  private async put(object: ObjectToPut): Promise<'put' | 'exists'> {
    return (await this.archive.put(object, this.signal)) === 'exists' ? 'exists' : 'put';
  }

  private async get(key: string): Promise<Buffer | undefined> {
    const stream = await this.archive.get(key, this.signal);
    if (stream === undefined) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}

function unreadable(key: string, why: string): OrglogError {
  return new OrglogError(
    'storage',
    `${key} cannot be read back (${why}): bring back what was written there from the bucket's versions, and the next run goes on`,
  );
}

function unpacked(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
