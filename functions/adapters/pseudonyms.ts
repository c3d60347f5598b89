import { createHash, createHmac } from 'node:crypto';
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { OrglogError } from '../core/errors.ts';
import { callAws } from './aws-errors.ts';

/** What values leave as. */
export interface Pseudonyms {
  /** Names the key and gives nothing of it away: with another, no pseudonym is what it was. */
  readonly keyId: string;
  /** `hmac:` and the HMAC-SHA-256 of a value, hexadecimal: the same for the same value. */
  readonly pseudonym: (value: string) => string;
}

/** Below this, a key could be found by trying, and with it every name and address. */
const MIN_KEY_CHARACTERS = 32;

/** @param key the secret: at least 32 characters that nobody could guess */
export function pseudonymsOf(key: string): Pseudonyms {
  return {
    keyId: createHash('sha256').update(`orglog pseudonym key ${key}`).digest('hex').slice(0, 16),
    pseudonym: (value) => `hmac:${createHmac('sha256', key).update(value).digest('hex')}`,
  };
}

export interface SecretsManagerPseudonymsOptions {
  readonly client: SecretsManagerClient;
  /** Name or ARN of the secret whose value is the key. */
  readonly secretId: string;
}

/**
 * The same with the key in a secret, read at the first use and then kept: it never changes. A read that fails is made
 * anew at the next use.
 */
export function secretsManagerPseudonyms({
  client,
  secretId,
}: SecretsManagerPseudonymsOptions): (signal: AbortSignal) => Promise<Pseudonyms> {
  const call = {
    service: 'Secrets Manager',
    permission: 'secretsmanager:GetSecretValue',
    resource: `secret ${secretId}`,
    ifMissing: 'deploy again: the deployment makes it, with a value of its own',
    secret: true,
  };
  let kept: Pseudonyms | undefined;
  return async (signal) => {
    if (kept !== undefined) return kept;
    const command = new GetSecretValueCommand({ SecretId: secretId });
    const { SecretString: key = '' } = await callAws(call, signal, () =>
      client.send(command, { abortSignal: signal }),
    );
    if (key.length < MIN_KEY_CHARACTERS) {
      throw new OrglogError(
        'configuration',
        `The secret ${secretId} holds no key for pseudonyms (text of ${MIN_KEY_CHARACTERS} characters or more): the deployment made one, so somebody replaced it. Bring back its previous version (AWSPREVIOUS), or every pseudonym changes`,
      );
    }
    kept = pseudonymsOf(key);
    return kept;
  };
}
