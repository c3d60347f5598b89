import { OrglogError } from '../../functions/core/errors.ts';
import type { Credential, CredentialSource } from '../../functions/core/ports.ts';
import { throwIfAborted } from '../../local/aborted.ts';

/** A credential that the test states, cached as a real source would: a change shows when it is read `fresh`. */
export class LiteralCredentials implements CredentialSource {
  readonly #secretName: string;
  #stored: Partial<Credential>;
  #cached: Credential | undefined;

  constructor(secretName: string, stored: Partial<Credential>) {
    this.#secretName = secretName;
    this.#stored = stored;
  }

  async get(options: { readonly fresh: boolean }, signal: AbortSignal): Promise<Credential> {
    throwIfAborted(signal, 'Reading the credential');
    if (options.fresh || this.#cached === undefined) this.#cached = this.#complete();
    return this.#cached;
  }

  /** For tests: what an operator does who changes the secret. */
  replace(stored: Partial<Credential>): void {
    this.#stored = stored;
  }

  #complete(): Credential {
    const { username, password } = this.#stored;
    if (username && password) return { username, password };
    const message = `The credential ${this.#secretName} lacks its name or password: store both`;
    throw new OrglogError('configuration', message);
  }
}
