import { describe, expect, it } from 'vitest';
import { OrglogError } from '../../functions/core/errors.ts';
import type { Credential, CredentialSource } from '../../functions/core/ports.ts';
import { expectAborted, never } from './support.ts';

export interface CredentialSourceHarness extends AsyncDisposable {
  readonly source: CredentialSource;
  /** What an error must mention: the name of the secret or of the variable. */
  readonly secretName: string;
  /** What an operator does who changes the secret. */
  replace(stored: Partial<Credential>): Promise<void>;
}

/**
 * What every implementation of `CredentialSource` promises.
 * @param make - stores what it is given (nothing at all for `{}`) and opens a source for it
 */
export function credentialSourceContract(
  name: string,
  make: (stored: Partial<Credential>) => Promise<CredentialSourceHarness>,
): void {
  describe(`credential source contract: ${name}`, () => {
    it.each([
      { username: 'institution-log', password: 'correct horse' },
      { username: 'ünï "quoted" \\ 🎓', password: ' {"$": "%20"}\\n:é\u20ac ' },
    ])('returns what is stored: $username', async (credential) => {
      await using harness = await make(credential);
      expect(await harness.source.get({ fresh: false }, never)).toStrictEqual(credential);
      expect(await harness.source.get({ fresh: false }, never)).toStrictEqual(credential);
      expect(await harness.source.get({ fresh: true }, never)).toStrictEqual(credential);
    });

    it('reads past every cache when asked to, and keeps what it found', async () => {
      await using harness = await make({ username: 'before', password: 'old' });
      await harness.source.get({ fresh: false }, never);
      const changed = { username: 'after', password: 'new' };
      await harness.replace(changed);
      expect(await harness.source.get({ fresh: true }, never)).toStrictEqual(changed);
      expect(await harness.source.get({ fresh: false }, never)).toStrictEqual(changed);
    });

    it.each<Partial<Credential>>([
      {},
      { username: 'only-a-name-xyzzy' },
      { password: 'only-a-password-xyzzy' },
      { username: '', password: 'beside-no-name-xyzzy' },
      { username: 'beside-no-password-xyzzy', password: '' },
    ])('names the secret, never its value, when it is incomplete: %j', async (stored) => {
      await using harness = await make(stored);
      const error = await harness.source.get({ fresh: false }, never).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(OrglogError);
      expect(error).toMatchObject({ code: 'configuration' });
      expect(String(error)).toContain(harness.secretName);
      expect(`${error} ${error instanceof Error ? error.cause : ''}`).not.toContain('xyzzy');
    });

    it('finds a credential that was completed after a failure', async () => {
      await using harness = await make({});
      await expect(harness.source.get({ fresh: false }, never)).rejects.toBeInstanceOf(OrglogError);
      const credential = { username: 'u', password: 'p' };
      await harness.replace(credential);
      expect(await harness.source.get({ fresh: true }, never)).toStrictEqual(credential);
    });

    it('rejects with an error of ours once the signal has fired', async () => {
      await using harness = await make({ username: 'u', password: 'p' });
      await expectAborted((signal) => harness.source.get({ fresh: true }, signal));
    });
  });
}
