import { describe, expect, it } from 'vitest';
import type {
  Acquired,
  AcquireRequest,
  CursorRow,
  CursorStore,
  RowKey,
  RowPatch,
} from '../../functions/core/ports.ts';
import { expectAborted, never, uniqueName } from './support.ts';

export interface CursorStoreHarness extends AsyncDisposable {
  readonly store: CursorStore;
}

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const minute = 60_000;

function newKey(): RowKey {
  return { org: uniqueName('org'), stream: 'logs' };
}

function request(key: RowKey, owner: string, changes: Partial<AcquireRequest> = {}): AcquireRequest {
  return {
    ...key,
    owner,
    now,
    expiresAt: now + 5 * minute,
    latestPossibleExpiry: now + 10 * minute,
    create: { epoch: 'e1', source: 'source-1', day: '2026-01-02' },
    ...changes,
  };
}

function held(acquired: Acquired): CursorRow {
  if (acquired.kind !== 'held') throw new Error(`the lease is busy: ${JSON.stringify(acquired.lease)}`);
  return acquired.row;
}

/** Everything that a row can hold, none of it at its initial value. */
const fullState = {
  token: '0190b6a0-7c1e-7000-8000-000000000001',
  sequence: 7,
  days: { '2026-01-02': 1, '2026-01-03': 8 },
  announced: { splunk: 6, elastic: 7 },
  gaps: [{ from: now - 2 * minute, to: now - minute, reason: 'stale-token', token: 'gone' }],
  rereads: true,
  refusedToken: 'refused',
  newestEventAt: now - 1,
  lastReadAt: now,
  caughtUp: true,
} as const satisfies RowPatch;

/** What every implementation of `CursorStore` promises. Each call of `make` may share one table with the others. */
export function cursorStoreContract(name: string, make: () => Promise<CursorStoreHarness>): void {
  describe(`cursor store contract: ${name}`, () => {
    /** A row with `fullState`, its lease held by `a`. */
    async function fullRow(store: CursorStore): Promise<{ key: RowKey; row: CursorRow }> {
      const key = newKey();
      const created = held(await store.acquire(request(key, 'a'), never));
      const write = { ...key, owner: 'a', expectedSequence: 0, set: fullState, release: false };
      expect(await store.write(write, never)).toBe('written');
      return { key, row: { ...created, ...fullState } };
    }

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
        expect(await harness.store.write({ ...key, ...conditions, set, release: true }, never)).toBe(
          'refused',
        );
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
