import { describe, expect, it } from 'vitest';
import { inParallel } from '../../../functions/core/identities/parallel.ts';
import {
  hashOf,
  intersecting,
  partitionOf,
  partitionsFor,
} from '../../../functions/core/identities/partitions.ts';
import { fromToken, type Position, toToken } from '../../../functions/core/identities/position.ts';
import { isoTime } from '../../../functions/core/identities/times.ts';
import { objectKey } from '../../../functions/core/keys.ts';

describe('a position', () => {
  const last = { walk: 999_998, startedAt: Date.UTC(2099, 0) };
  const positions: Exclude<Position, { phase: 'idle' }>[] = [
    { phase: 'read', walk: 1, next: { list: 0 }, flushes: 0 },
    { phase: 'read', walk: 999_999, last, next: { list: 12, page: 20_000 }, flushes: 4_000 },
    { phase: 'merge', walk: 1, partition: 0, flushes: 1, identities: 0 },
    { phase: 'merge', walk: 999_999, last, partition: 4095, flushes: 4_000, identities: 50_000_000 },
  ];

  it('is a token and back', () => {
    for (const position of positions) {
      const token = toToken(position);
      expect(fromToken(token)).toStrictEqual(position);
      expect(token).toMatch(/^[\x20-\x7e]{1,200}$/);
    }
    expect(fromToken(toToken({ phase: 'idle', last }))).toStrictEqual({ phase: 'idle', last });
    expect(fromToken(undefined)).toStrictEqual({ phase: 'idle' });
  });

  it.each(['', 'idle', 'idle:1', 'read:1:-:-:0:-', 'merge:1:-:-:0:x:0', 'constructor:1', 'idle:1:2:3'])(
    'is not %j',
    (token) => {
      expect(() => fromToken(token)).toThrow('is no position');
    },
  );
});

describe('partitions', () => {
  it("are powers of two, and never less than half of the last walk's", () => {
    expect([0, 1, 5000, 5001, 10_001, 1e6].map((total) => partitionsFor(total, 5000, 1))).toStrictEqual([
      1, 1, 1, 2, 4, 256,
    ]);
    expect(partitionsFor(0, 5000, 256)).toBe(128);
    expect(partitionsFor(1e12, 5000, 1)).toBe(4096);
  });

  it('of two walks intersect where identities can be in both', () => {
    for (const [ours, theirs] of [
      [1, 8],
      [8, 1],
      [4, 4],
      [4, 16],
      [16, 2],
    ] as const) {
      for (let i = 0; i < 200; i++) {
        const hash = hashOf(`u${i}`);
        const others = intersecting(partitionOf(hash, ours), ours, theirs);
        expect(others).toContain(partitionOf(hash, theirs));
        expect(others).toHaveLength(Math.max(1, theirs / ours));
      }
    }
  });
});

describe('a key of a feed object', () => {
  it('has the environment as a folder', () => {
    const row = { org: 'institution', stream: 'identities.test', epoch: 'k3x9ab', days: { '2026-01-02': 1 } };
    expect(objectKey(row, 7)).toBe(
      'identities/org=institution/env=test/dt=2026-01-02/k3x9ab-000000000007.ndjson.gz',
    );
  });
});

describe('a time', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.678+01:00', '2026-01-02T03:04:05.678+01:00'],
    ['2026-01-02 03:04:05.678901', '2026-01-02T03:04:05.678901Z'],
    ['2026-13-02T03:04:05Z', undefined],
    ['yesterday', undefined],
  ])('%s is %s', (text, iso) => {
    expect(isoTime(text)).toBe(iso);
  });
});

describe('working in parallel', () => {
  it('keeps the order and the limit', async () => {
    let running = 0;
    let most = 0;
    const doubled = await inParallel([1, 2, 3, 4, 5], 2, async (n) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return 2 * n;
    });
    expect(doubled).toStrictEqual([2, 4, 6, 8, 10]);
    expect(most).toBe(2);
  });

  it('begins no more after a failure, and leaves nothing under way', async () => {
    const begun: number[] = [];
    let ended = 0;
    const work = inParallel([1, 2, 3, 4, 5], 2, async (n) => {
      begun.push(n);
      await Promise.resolve();
      if (n === 1) throw new Error('the first');
      await Promise.resolve();
      ended++;
    });
    await expect(work).rejects.toThrow('the first');
    expect(begun).toStrictEqual([1, 2]);
    expect(ended).toBe(1);
  });
});
