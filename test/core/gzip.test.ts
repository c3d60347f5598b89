import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gzipCompressor } from '../../functions/core/gzip.ts';

/** Hard to compress, and the same each time. */
function noise(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

describe('gzipCompressor', () => {
  it('hands over all that was written', async () => {
    const compressor = gzipCompressor();
    const pages = [noise(700_000), Buffer.from('{}\n'), noise(10)];
    for (const page of pages) await compressor.write(page);
    const body = Buffer.concat(await compressor.finish());
    expect(gunzipSync(body).equals(Buffer.concat(pages))).toBe(true);
    expect(compressor.size).toBe(body.length);
  });

  it('has compressed what was written before it asks for more', async () => {
    const compressor = gzipCompressor();
    await compressor.write(noise(2_000_000));
    expect(compressor.size).toBeGreaterThan(1_500_000);
    compressor.discard();
  });

  it('frees what it holds when it is discarded, and refuses to go on', async () => {
    const compressor = gzipCompressor();
    compressor.discard();
    await expect(compressor.write(Buffer.from('x'))).rejects.toThrow();
  });
});
