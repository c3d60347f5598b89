import { describe, expect, it } from 'vitest';
import type { OperatorLedger } from '../../functions/core/operate/ports.ts';
import { expectAborted, never, uniqueName } from './support.ts';

export interface OperatorLedgerHarness extends AsyncDisposable {
  readonly ledger: OperatorLedger;
}

/** What `OperatorLedger` promises beyond `Ledger`. Each call of `make` may share one table with the others. */
export function operatorLedgerContract(name: string, make: () => Promise<OperatorLedgerHarness>): void {
  describe(`operator's ledger contract: ${name}`, () => {
    it('forgets one object of one destination, and no other, and may do so twice', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const key = `${uniqueName('key')}.ndjson.gz`;
      const rows = [
        { destination: 'splunk', key },
        { destination: 'splunk', key: `${key}.2` },
        { destination: 'elastic', key },
      ] as const;
      const [first, ...others] = rows;
      const step = { expected: 0, lines: 10, done: true, expiresAt: Date.UTC(2026, 0, 2) };
      for (const row of rows) expect(await ledger.progress({ ...row, ...step }, never)).toBe('written');
      for (let time = 0; time < 2; time += 1) {
        await ledger.reset(first, never);
        expect(await ledger.read(first, never)).toBeUndefined();
      }
      for (const row of others)
        expect(await ledger.read(row, never)).toMatchObject({ lines: 10, done: true });
    });

    it('stops a delivery that is under way, and lets the next one start at the first line', async () => {
      await using harness = await make();
      const { ledger } = harness;
      const row = { destination: 'splunk', key: uniqueName('key') };
      const step = { ...row, done: false, expiresAt: Date.UTC(2026, 0, 2) };
      await ledger.progress({ ...step, expected: 0, lines: 10 }, never);
      await ledger.reset(row, never);
      expect(await ledger.progress({ ...step, expected: 10, lines: 20 }, never)).toBe('refused');
      expect(await ledger.progress({ ...step, expected: 0, lines: 5 }, never)).toBe('written');
      expect(await ledger.read(row, never)).toMatchObject({ lines: 5, done: false });
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      await expectAborted((signal) => harness.ledger.reset({ destination: 'splunk', key: 'key' }, signal));
    });
  });
}
