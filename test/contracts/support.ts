import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { OrglogError } from '../../functions/core/errors.ts';
import type { Archive } from '../../functions/core/ports.ts';

/** For calls that nothing interrupts. */
export const never: AbortSignal = new AbortController().signal;

/** Tells this process's rows and keys from those of any other, on services that outlive a test run. */
const processName = randomBytes(5).toString('hex');
let names = 0;

/** A name that no other test, process or earlier run has used: `[a-z0-9-]`. */
export function uniqueName(prefix: string): string {
  names += 1;
  return `${prefix}-${processName}-${names}`;
}

/** The port's promise for a fired signal, and that whatever rejects is one of our errors. */
export async function expectAborted(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  await expect(call(AbortSignal.abort())).rejects.toBeInstanceOf(OrglogError);
}

/** The error that a call rejects with, which must be one of ours. */
export async function rejection(call: Promise<unknown>): Promise<OrglogError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof OrglogError) return error;
  throw new Error(`expected an OrglogError, got ${String(error)}`, { cause: error });
}

/** Bytes that look random to a compressor and are the same in every run (xorshift32). */
export function patternedBytes(length: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = seed | 1;
  for (let i = 0; i < words.length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer, 0, length);
}

/** All bytes of an object. */
export async function contentOf(archive: Archive, key: string): Promise<Buffer | undefined> {
  const stream = await archive.get(key, never);
  if (stream === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  // Copied, so that a source which reuses its buffer is found out.
  for await (const chunk of stream) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}
