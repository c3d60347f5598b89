import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipCompressor } from '../../functions/core/gzip.ts';
import { event } from './arbitrary-json.ts';
import { World } from './simulation/world.ts';

describe('any event', () => {
  it('comes out of the archive as it was sent, in order, whatever pages and batches it went through', async () => {
    const log = fc.array(event, { maxLength: 20 });
    const limit = fc.integer({ min: 1, max: 7 });
    const batchBytes = fc.constantFrom(1, 40, 1e9);
    await fc.assert(
      fc.asyncProperty(log, limit, batchBytes, fc.boolean(), async (events, pageLimit, bytes, pretty) => {
        const settings = { limit: pageLimit, batchBytes: bytes };
        const world = new World({ settings, newCompressor: gzipCompressor });
        for (const { text, compact } of events) world.provider.appendLine(pretty ? text : compact);
        const report = await world.run();
        expect(report.outcome).toBe('caught-up');
        expect(report.events).toBe(events.length);
        expect(world.committedLines()).toStrictEqual(events.map(({ compact }) => compact));
        for (const { bytes: object } of world.archive.objects.values()) {
          const plain = gunzipSync(object);
          expect(plain.length).toBeGreaterThan(0);
          expect(plain.at(-1)).toBe(0x0a);
        }
      }),
      { numRuns: 300, seed: 20260102 },
    );
  });
});
