import { OrglogError } from '../functions/core/errors.ts';
import type { OperatorSecrets, SecretStanding } from '../functions/core/operate/ports.ts';
import type { Credential } from '../functions/core/ports.ts';
import { throwIfAborted } from './aborted.ts';
import { EnvironmentCredentials } from './environment-credentials.ts';

/** What the one secret of a data folder is called. */
export const ENVIRONMENT_SECRET = 'ORGLOG_USERNAME and ORGLOG_PASSWORD';

/** The credential in the environment: a data folder keeps none. */
export function environmentSecrets(
  environment: Readonly<Record<string, string | undefined>>,
): OperatorSecrets {
  const credentials = new EnvironmentCredentials(environment);
  return {
    async describe(_name: string, signal: AbortSignal): Promise<SecretStanding> {
      throwIfAborted(signal, 'Looking for the credential');
      const { ORGLOG_USERNAME: username, ORGLOG_PASSWORD: password } = environment;
      if (username && password) return { kind: 'stored' };
      return { kind: username || password ? 'empty' : 'missing' };
    },
    read: (_name: string, signal: AbortSignal) => credentials.get({ fresh: true }, signal),
    store: notKept(`its credential comes from the environment variables ${ENVIRONMENT_SECRET}: set them`),
  };
}

/** The credential of the built-in stand-in, which accepts no other. */
export function fixedSecret(credential: Credential): OperatorSecrets {
  return {
    async describe(_name: string, signal: AbortSignal): Promise<SecretStanding> {
      throwIfAborted(signal, 'Looking for the credential');
      return { kind: 'stored' };
    },
    async read(_name: string, signal: AbortSignal): Promise<Credential> {
      throwIfAborted(signal, 'Reading the credential');
      return credential;
    },
    store: notKept('the built-in stand-in accepts one credential, which is its own'),
  };
}

function notKept(instead: string): OperatorSecrets['store'] {
  return async (_name, _credential, signal) => {
    throwIfAborted(signal, 'Storing the credential');
    throw new OrglogError(
      'configuration',
      `A data folder keeps no credential, so nothing was stored: ${instead}`,
    );
  };
}
