import { describe, expect, it } from 'vitest';
import type { AcquireRequest } from '../../functions/core/ports.ts';
import { type CursorStoreHarness, fullRow, held, minute, newKey, now, request } from './cursor-rows.ts';
import { describeWrites } from './cursor-store-writes.ts';
import { expectAborted, never, uniqueName } from './support.ts';

/** What every implementation of `CursorStore` promises. Each call of `make` may share one table with the others. */
export function cursorStoreContract(name: string, make: () => Promise<CursorStoreHarness>): void {
  describe(`cursor store contract: ${name}`, () => {
    describe('acquire', () => {
      it('creates the row where there is none', async () => {
        await using harness = await make();
        const key = newKey();
        const row = held(await harness.store.acquire(request(key, 'a'), never));
        expect(row).toStrictEqual({
          ...key,
          epoch: 'e1',
          source: 'source-1',
          sequence: 0,
          days: { '2026-01-02': 1 },
          announced: {},
          gaps: [],
          rereads: false,
          caughtUp: false,
          paused: false,
          lease: { owner: 'a', expiresAt: now + 5 * minute },
        });
        expect(await harness.store.read(key, never)).toStrictEqual(row);
      });

      it('changes nothing but the lease of a row that is there', async () => {
        await using harness = await make();
        const { key, row } = await fullRow(harness.store);
        await harness.store.write({ ...key, owner: 'a', set: {}, release: true }, never);
        const create = { epoch: 'e2', source: 'source-2', day: '2026-02-03' };
        const acquired = await harness.store.acquire(request(key, 'b', { create }), never);
        const expected = { ...row, lease: { owner: 'b', expiresAt: now + 5 * minute } };
        expect(held(acquired)).toStrictEqual(expected);
        expect(await harness.store.read(key, never)).toStrictEqual(expected);
      });

      const cases: readonly [string, string, Partial<AcquireRequest>, 'held' | 'busy'][] = [
        ['runs', 'b', {}, 'busy'],
        ['is mine', 'a', {}, 'held'],
        ['has a millisecond left', 'b', { now: now + 5 * minute - 1 }, 'busy'],
        ['ends now', 'b', { now: now + 5 * minute }, 'held'],
        ['has ended', 'b', { now: now + 6 * minute }, 'held'],
        ['ends as late as a lease can', 'b', { latestPossibleExpiry: now + 5 * minute }, 'busy'],
        ['ends later than any lease can', 'b', { latestPossibleExpiry: now + 5 * minute - 1 }, 'held'],
      ];
      it.each(cases)('when the lease %s, for owner %s', async (_what, owner, changes, outcome) => {
        await using harness = await make();
        const key = newKey();
        const first = held(await harness.store.acquire(request(key, 'a'), never));
        const second = await harness.store.acquire(
          request(key, owner, { expiresAt: now + 9 * minute, ...changes }),
          never,
        );
        const lease = { owner, expiresAt: now + 9 * minute };
        const expected =
          outcome === 'busy'
            ? { kind: 'busy', lease: first.lease }
            : { kind: 'held', row: { ...first, lease } };
        expect(second).toStrictEqual(expected);
        expect(await harness.store.read(key, never)).toStrictEqual(
          outcome === 'busy' ? first : { ...first, lease },
        );
      });

      it.each(['a new row', 'a released row', 'an expired lease'])(
        'has one winner among many: %s',
        async (what) => {
          await using harness = await make();
          const key = newKey();
          if (what !== 'a new row') {
            const expiresAt = what === 'an expired lease' ? now : now + minute;
            await harness.store.acquire(request(key, 'before', { now: now - minute, expiresAt }), never);
          }
          if (what === 'a released row') {
            await harness.store.write({ ...key, owner: 'before', set: {}, release: true }, never);
          }
          const owners = Array.from({ length: 8 }, (_, i) => `owner-${i}`);
          const answers = await Promise.all(
            owners.map((owner) =>
              harness.store.acquire(
                request(key, owner, { create: { epoch: owner, source: 's', day: '2026-01-02' } }),
                never,
              ),
            ),
          );
          const winners = answers.filter((answer) => answer.kind === 'held');
          expect(winners).toHaveLength(1);
          const row = await harness.store.read(key, never);
          expect(winners[0]?.row).toStrictEqual(row);
          for (const answer of answers) {
            if (answer.kind === 'busy') expect(answer.lease).toStrictEqual(row?.lease);
          }
        },
      );
    });

    describeWrites(make);

    describe('rows', () => {
      it('reads undefined where there is none', async () => {
        await using harness = await make();
        expect(await harness.store.read(newKey(), never)).toBeUndefined();
      });

      it('keeps rows of different organizations and streams apart', async () => {
        await using harness = await make();
        const org = uniqueName('org');
        const keys = [
          { org, stream: 'logs' },
          { org, stream: 'identities' },
          { org: `${org}:logs`, stream: 'x' },
          { org, stream: 'logs:x' },
          { org: `${org}/Ü`, stream: 'logs' },
          { org: org.toUpperCase(), stream: 'logs' },
        ];
        for (const [i, key] of keys.entries()) {
          held(await harness.store.acquire(request(key, `owner-${i}`), never));
          const write = {
            ...key,
            owner: `owner-${i}`,
            expectedSequence: 0,
            set: { token: `t${i}` },
            release: false,
          };
          expect(await harness.store.write(write, never)).toBe('written');
        }
        for (const [i, key] of keys.entries()) {
          expect(await harness.store.read(key, never)).toMatchObject({ ...key, token: `t${i}` });
        }
      });

      it('returns values unchanged: unicode, markup, quotes, control characters, large numbers', async () => {
        await using harness = await make();
        const key = { org: `${uniqueName('org')} "Zürich" 'x' 🎓 \\ %00`, stream: 'log:s/#?&=' };
        const odd = 'é\u2028"\'\\\n\t\u0001 🎓 <a>&amp; $x :name #token';
        const owner = `run ${odd}`;
        const create = { epoch: 'E_-9', source: odd, day: '2026-01-02' };
        const row = held(await harness.store.acquire(request(key, owner, { create }), never));
        const set = {
          token: odd,
          sequence: 999_999_999_999,
          announced: { [odd]: 3, 'splunk.prod': 999_999_999_998, '#size': 0, __proto: 1 },
          gaps: [
            { from: 0, to: Number.MAX_SAFE_INTEGER, reason: 'object-missing', token: odd },
            { from: 5, to: 5, reason: 'no-overlap' },
          ],
          refusedToken: '',
          newestEventAt: Number.MAX_SAFE_INTEGER,
        } as const;
        const write = { ...key, owner, expectedSequence: 0, set, release: false };
        expect(await harness.store.write(write, never)).toBe('written');
        expect(await harness.store.read(key, never)).toStrictEqual({ ...row, ...set });
      });

      it('holds 20 gaps, in order, and 100 days', async () => {
        await using harness = await make();
        const { key, row } = await fullRow(harness.store);
        const gaps = Array.from({ length: 20 }, (_, i) => ({
          from: now - i,
          to: now,
          reason: 'no-token' as const,
          token: `${i}`.repeat(100),
        }));
        const days = Object.fromEntries(
          Array.from({ length: 100 }, (_, i) => [
            new Date(now + i * 1440 * minute).toISOString().slice(0, 10),
            i * 1000 + 1,
          ]),
        );
        const write = { ...key, owner: 'a', expectedSequence: 7, set: { gaps, days }, release: false };
        expect(await harness.store.write(write, never)).toBe('written');
        expect(await harness.store.read(key, never)).toStrictEqual({ ...row, gaps, days });
      });
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const { store } = harness;
      const key = newKey();
      await expectAborted((signal) => store.acquire(request(key, 'a'), signal));
      await expectAborted((signal) => store.write({ ...key, owner: 'a', set: {}, release: true }, signal));
      await expectAborted((signal) => store.read(key, signal));
    });
  });
}
