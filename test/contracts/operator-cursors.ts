import { describe, expect, it } from 'vitest';
import type { OperatorCursors } from '../../functions/core/operate/ports.ts';
import { fullRow, held, newKey, request } from './cursor-rows.ts';
import { expectAborted, never, uniqueName } from './support.ts';

export interface OperatorCursorsHarness extends AsyncDisposable {
  readonly cursors: OperatorCursors;
}

/** What `OperatorCursors` promises beyond `CursorStore`. Each call of `make` may share one table with the others. */
export function operatorCursorsContract(name: string, make: () => Promise<OperatorCursorsHarness>): void {
  describe(`operator's cursors contract: ${name}`, () => {
    it('lists every row whole, in order of organization and stream', async () => {
      await using harness = await make();
      const { cursors } = harness;
      const { key, row } = await fullRow(cursors);
      const org = uniqueName('org');
      const others = [
        { org, stream: 'logs' },
        { org: `${org}-b`, stream: 'logs' },
        { org, stream: 'identities-prod' },
        { org: `${org}B`, stream: 'logs' },
      ];
      for (const other of others) held(await cursors.acquire(request(other, 'a'), never));
      const listed = await cursors.list(never);
      expect(listed.find((one) => one.org === key.org)).toStrictEqual(row);
      const mine = listed.filter((one) => one.org.startsWith(org));
      expect(mine.map((one) => [one.org.slice(org.length), one.stream])).toStrictEqual([
        ['', 'identities-prod'],
        ['', 'logs'],
        ['-b', 'logs'],
        ['B', 'logs'],
      ]);
    });

    it('sets and clears the pause, whoever holds the lease, and changes nothing else', async () => {
      await using harness = await make();
      const { cursors } = harness;
      const { key, row } = await fullRow(cursors);
      for (const paused of [true, true, false, false]) {
        expect(await cursors.setPaused(key, paused, never)).toBe('written');
        expect(await cursors.read(key, never)).toStrictEqual({ ...row, paused });
      }
    });

    it('leaves the pause to the next run, which sees it with its lease', async () => {
      await using harness = await make();
      const { cursors } = harness;
      const { key } = await fullRow(cursors);
      await cursors.setPaused(key, true, never);
      const write = { ...key, owner: 'a', expectedSequence: 7, set: { caughtUp: false }, release: true };
      expect(await cursors.write(write, never)).toBe('written');
      expect(held(await cursors.acquire(request(key, 'b'), never)).paused).toBe(true);
    });

    it('makes no row where there is none', async () => {
      await using harness = await make();
      const key = newKey();
      expect(await harness.cursors.setPaused(key, true, never)).toBe('missing');
      expect(await harness.cursors.read(key, never)).toBeUndefined();
      expect((await harness.cursors.list(never)).filter(({ org }) => org === key.org)).toStrictEqual([]);
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      await expectAborted((signal) => harness.cursors.list(signal));
      await expectAborted((signal) => harness.cursors.setPaused(newKey(), true, signal));
    });
  });
}
