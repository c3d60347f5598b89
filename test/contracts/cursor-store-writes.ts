import { describe, expect, it } from 'vitest';
import { type CursorStoreHarness, fullRow, newKey, now, request } from './cursor-rows.ts';
import { never } from './support.ts';

/** The part of the contract that is about `write`. */
export function describeWrites(make: () => Promise<CursorStoreHarness>): void {
  describe('write', () => {
    it('replaces what is given and leaves what is not', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      expect(await harness.store.read(key, never)).toStrictEqual(row);
      const set = { sequence: 8, days: { '2026-01-04': 9 }, announced: {}, gaps: [], caughtUp: false };
      const write = { ...key, owner: 'a', expectedSequence: 7, set, release: false };
      expect(await harness.store.write(write, never)).toBe('written');
      expect(await harness.store.read(key, never)).toStrictEqual({ ...row, ...set });
    });

    it('makes a row another log’s', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      const set = { epoch: 'k3v9q0', source: '9f86d081884c7d65' };
      const write = { ...key, owner: 'a', expectedSequence: 7, set, release: false };
      expect(await harness.store.write(write, never)).toBe('written');
      expect(await harness.store.read(key, never)).toStrictEqual({ ...row, ...set });
    });

    it('removes an optional member given as undefined', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      const set = {
        token: undefined,
        refusedToken: undefined,
        newestEventAt: undefined,
        lastReadAt: undefined,
      };
      const write = { ...key, owner: 'a', expectedSequence: 7, set, release: false };
      expect(await harness.store.write(write, never)).toBe('written');
      const { token, refusedToken, newestEventAt, lastReadAt, ...rest } = row;
      expect(await harness.store.read(key, never)).toStrictEqual(rest);
    });

    it('gives up the lease by the same write', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      const write = {
        ...key,
        owner: 'a',
        expectedSequence: 7,
        set: { lastReadAt: now + 1 },
        release: true,
      };
      expect(await harness.store.write(write, never)).toBe('written');
      const { lease, ...rest } = row;
      expect(await harness.store.read(key, never)).toStrictEqual({ ...rest, lastReadAt: now + 1 });
    });

    it('gives up the lease of a row whose sequence is not known', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      expect(await harness.store.write({ ...key, owner: 'a', set: {}, release: true }, never)).toBe(
        'written',
      );
      const { lease, ...rest } = row;
      expect(await harness.store.read(key, never)).toStrictEqual(rest);
    });

    it('checks its conditions and changes nothing when there is nothing to set', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      const write = { ...key, owner: 'a', expectedSequence: 7, set: {}, release: false };
      expect(await harness.store.write(write, never)).toBe('written');
      expect(await harness.store.write({ ...write, owner: 'b' }, never)).toBe('refused');
      expect(await harness.store.read(key, never)).toStrictEqual(row);
    });

    it('accepts the owner of a lease that expired, as long as nobody took it', async () => {
      await using harness = await make();
      const key = newKey();
      await harness.store.acquire(request(key, 'a', { expiresAt: 1 }), never);
      const write = { ...key, owner: 'a', expectedSequence: 0, set: { token: 't' }, release: false };
      expect(await harness.store.write(write, never)).toBe('written');
      await harness.store.acquire(request(key, 'b'), never);
      expect(await harness.store.write({ ...write, set: { token: 'u' } }, never)).toBe('refused');
      expect((await harness.store.read(key, never))?.token).toBe('t');
    });

    it.each([
      ['another owner', { owner: 'b', expectedSequence: 7 }],
      ['another owner who does not know the sequence', { owner: 'b' }],
      ['a lower sequence', { owner: 'a', expectedSequence: 6 }],
      ['a higher sequence', { owner: 'a', expectedSequence: 8 }],
    ])('refuses %s, and changes nothing', async (_what, conditions) => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      const set = { sequence: 8, token: undefined, gaps: [] };
      expect(await harness.store.write({ ...key, ...conditions, set, release: true }, never)).toBe('refused');
      expect(await harness.store.read(key, never)).toStrictEqual(row);
    });

    it('refuses the former owner of a lease that was given up', async () => {
      await using harness = await make();
      const { key } = await fullRow(harness.store);
      const write = { ...key, owner: 'a', set: {}, release: true };
      expect(await harness.store.write(write, never)).toBe('written');
      expect(await harness.store.write(write, never)).toBe('refused');
    });

    it('refuses, and creates nothing, where there is no row', async () => {
      await using harness = await make();
      const key = newKey();
      for (const conditions of [{ expectedSequence: 0 }, {}]) {
        const write = { ...key, owner: 'a', ...conditions, set: { token: 't' }, release: false };
        expect(await harness.store.write(write, never)).toBe('refused');
      }
      expect(await harness.store.read(key, never)).toBeUndefined();
    });

    it('has one winner among many with the same expected sequence', async () => {
      await using harness = await make();
      const { key, row } = await fullRow(harness.store);
      const writes = Array.from({ length: 8 }, (_, i) => ({ sequence: 8, token: `token-${i}` }));
      const answers = await Promise.all(
        writes.map((set) =>
          harness.store.write({ ...key, owner: 'a', expectedSequence: 7, set, release: false }, never),
        ),
      );
      const winners = writes.filter((_, i) => answers[i] === 'written');
      expect(winners).toHaveLength(1);
      expect(await harness.store.read(key, never)).toStrictEqual({ ...row, ...winners[0] });
    });
  });
}
