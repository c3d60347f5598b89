import { describe, expect, it } from 'vitest';
import type { Ledger, ProgressRequest } from '../../functions/core/ports-delivery.ts';
import { expectAborted, never, uniqueName } from './support.ts';

export interface LedgerHarness extends AsyncDisposable {
  readonly ledger: Ledger;
}

/** Whole seconds: DynamoDB keeps no finer. */
const EXPIRES_AT = Date.UTC(2026, 0, 2);

function step(changes: Partial<ProgressRequest> = {}): ProgressRequest {
  const key = `logs/org=${uniqueName('institution')}/dt=2026-01-02/e1-000000000001.ndjson.gz`;
  return {
    destination: 'splunk',
    key,
    expected: 0,
    lines: 10,
    done: false,
    expiresAt: EXPIRES_AT,
    ...changes,
  };
}

/** What every implementation of `Ledger` promises. Each call of `make` may share one table with the others. */
export function ledgerContract(name: string, make: () => Promise<LedgerHarness>): void {
  describe(`ledger contract: ${name}`, () => {
    it('knows nothing at first', async () => {
      await using harness = await make();
      expect(await harness.ledger.read(step(), never)).toBeUndefined();
    });

    it('keeps what was written, step by step', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const first = step();
      const { expected: _, ...row } = first;
      expect(await ledger.progress(first, never)).toBe('written');
      expect(await ledger.read(first, never)).toStrictEqual(row);
      const second = { ...first, expected: 10, lines: 25, done: true, expiresAt: EXPIRES_AT + 1000 };
      expect(await ledger.progress(second, never)).toBe('written');
      const { expected: __, ...done } = second;
      expect(await ledger.read(first, never)).toStrictEqual(done);
    });

    it('refuses a step from where the row is not, and changes nothing', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const first = step();
      expect(await ledger.progress({ ...first, expected: 5 }, never)).toBe('refused');
      expect(await ledger.read(first, never)).toBeUndefined();
      await ledger.progress(first, never);
      for (const expected of [0, 9, 11]) {
        expect(await ledger.progress({ ...first, expected, lines: 99 }, never)).toBe('refused');
      }
      expect(await ledger.read(first, never)).toMatchObject({ lines: 10, done: false });
    });

    it('refuses every step after the last', async () => {
      await using harness = await make();
      const { ledger } = harness;
      for (const lines of [0, 10]) {
        const last = step({ lines, done: true });
        expect(await ledger.progress(last, never)).toBe('written');
        expect(await ledger.progress({ ...last, expected: lines, lines: 99 }, never)).toBe('refused');
        expect(await ledger.read(last, never)).toMatchObject({ lines, done: true });
      }
    });

    it('goes on from a row that has no line yet', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const first = step({ lines: 0 });
      expect(await ledger.progress(first, never)).toBe('written');
      expect(await ledger.progress({ ...first, lines: 4 }, never)).toBe('written');
      expect(await ledger.read(first, never)).toMatchObject({ lines: 4 });
    });

    it('tells destinations and objects apart', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const splunk = step();
      const elastic = { ...splunk, destination: 'elastic', lines: 3 };
      await ledger.progress(splunk, never);
      expect(await ledger.read(elastic, never)).toBeUndefined();
      await ledger.progress(elastic, never);
      expect(await ledger.read(splunk, never)).toMatchObject({ lines: 10 });
      expect(await ledger.read({ ...splunk, key: `${splunk.key}.2` }, never)).toBeUndefined();
    });

    it('lets exactly one of many take the same step', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const first = step();
      const race = (expected: number) =>
        Promise.all(
          Array.from({ length: 8 }, (_, i) =>
            ledger.progress({ ...first, expected, lines: expected + i + 1 }, never),
          ),
        );
      for (let round = 0; round < 3; round += 1) {
        const before = (await ledger.read(first, never))?.lines ?? 0;
        const answers = await race(before);
        expect(answers.filter((answer) => answer === 'written')).toHaveLength(1);
        expect(await ledger.read(first, never)).toMatchObject({
          lines: before + answers.indexOf('written') + 1,
        });
      }
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const { ledger } = harness;
      await expectAborted((signal) => ledger.read(step(), signal));
      await expectAborted((signal) => ledger.progress(step(), signal));
    });
  });
}
