import { OrglogError } from '../functions/core/errors.ts';
import type { Credential, CredentialSource } from '../functions/core/ports.ts';
import { throwIfAborted } from './aborted.ts';

/** The credential from `ORGLOG_USERNAME` and `ORGLOG_PASSWORD` of the environment it is given: read at every call. */
export class EnvironmentCredentials implements CredentialSource {
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  async get(_options: { readonly fresh: boolean }, signal: AbortSignal): Promise<Credential> {
    throwIfAborted(signal, 'Reading the credential');
    const { ORGLOG_USERNAME: username, ORGLOG_PASSWORD: password } = this.#environment;
    if (username && password) return { username, password };
    const missing = [...(username ? [] : ['ORGLOG_USERNAME']), ...(password ? [] : ['ORGLOG_PASSWORD'])];
    throw new OrglogError(
      'configuration',
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set: put the name and password that the ` +
        'provider issued for its log interface into these environment variables',
    );
  }
}
