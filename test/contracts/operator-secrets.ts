import { describe, expect, it } from 'vitest';
import type { OperatorSecrets } from '../../functions/core/operate/ports.ts';
import { expectAborted, never, rejection } from './support.ts';

export interface OperatorSecretsHarness extends AsyncDisposable {
  readonly secrets: OperatorSecrets;
  /** A secret without a value. */
  readonly empty: string;
  /** A name under which there is none. */
  readonly missing: string;
  /** Epoch ms by the store's clock. */
  readonly now: () => number;
}

const first = { username: 'collector', password: 'pass word: "é€🎓"\\' };
const second = { username: 'collector-2', password: 'x' };

/** What every implementation of `OperatorSecrets` that can store promises. */
export function operatorSecretsContract(name: string, make: () => Promise<OperatorSecretsHarness>): void {
  describe(`operator's secrets contract: ${name}`, () => {
    it('tells a secret that is missing from one without a value, and reads neither', async () => {
      await using harness = await make();
      const { secrets, empty, missing } = harness;
      expect(await secrets.describe(empty, never)).toStrictEqual({ kind: 'empty' });
      expect(await secrets.describe(missing, never)).toStrictEqual({ kind: 'missing' });
      for (const secret of [empty, missing]) {
        const error = await rejection(secrets.read(secret, never));
        expect(error.code).toBe('configuration');
        expect(error.message).toContain(secret);
      }
    });

    it('stores a credential, and replaces it', async () => {
      await using harness = await make();
      const { secrets, empty, now } = harness;
      const before = now();
      for (const credential of [first, second, second]) {
        await secrets.store(empty, credential, never);
        expect(await secrets.read(empty, never)).toStrictEqual(credential);
      }
      const standing = await secrets.describe(empty, never);
      expect(standing).toStrictEqual({ kind: 'stored', changedAt: expect.any(Number) });
      if (standing.kind !== 'stored') return;
      expect(standing.changedAt).toBeGreaterThanOrEqual(before - 60_000);
      expect(standing.changedAt).toBeLessThanOrEqual(now() + 60_000);
    });

    it('makes no secret: that is the stack’s to do; and repeats no value', async () => {
      await using harness = await make();
      const { secrets, missing } = harness;
      const error = await rejection(secrets.store(missing, first, never));
      expect(error.code).toBe('configuration');
      expect(error.message).toContain(missing);
      expect(`${error.message}${String(error.cause)}`).not.toMatch(/pass word|collector/);
      expect(await secrets.describe(missing, never)).toStrictEqual({ kind: 'missing' });
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make();
      const { secrets, empty } = harness;
      await expectAborted((signal) => secrets.describe(empty, signal));
      await expectAborted((signal) => secrets.read(empty, signal));
      await expectAborted((signal) => secrets.store(empty, first, signal));
    });
  });
}
