import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { OrglogError } from '../core/errors.ts';
import type { Credential, CredentialSource } from '../core/ports.ts';
import { callAws } from './aws-errors.ts';

export interface SecretsManagerCredentialsOptions {
  readonly client: SecretsManagerClient;
  /** Name or ARN. */
  readonly secretId: string;
  /** How long a value may be used before it is read again. Default: one hour. */
  readonly maxAgeMs?: number;
  /** Epoch ms; for the age only. */
  readonly now?: () => number;
}

const HOUR_MS = 3_600_000;

// A colon ends the user name in HTTP Basic, so one that holds a colon could never be meant.
const credential = z.object({
  username: z.string().check(z.regex(/^[^:]+$/)),
  password: z.string().check(z.minLength(1)),
});

/**
 * The provider's credential from a secret whose value is `{"username":"…","password":"…"}`. Read at the first use and
 * then once per `maxAgeMs`, since each read costs money and a warm function runs for hours. No error of this file has
 * a cause or quotes an answer: parsers and the SDK put what they could not read into their messages.
 */
export function secretsManagerCredentials(options: SecretsManagerCredentialsOptions): CredentialSource {
  const { client, secretId, maxAgeMs = HOUR_MS, now = Date.now } = options;
  const call = {
    service: 'Secrets Manager',
    permission: 'secretsmanager:GetSecretValue',
    resource: `secret ${secretId}`,
    ifMissing:
      'either it has no value yet (README, "Store the credential"), or it is not deployed, or its name in the environment is wrong',
    secret: true,
  };
  let cached: { readonly value: Credential; readonly readAt: number } | undefined;

  return {
    async get({ fresh }, signal) {
      if (!fresh && cached !== undefined && now() - cached.readAt < maxAgeMs) return cached.value;
      const readAt = now();
      const command = new GetSecretValueCommand({ SecretId: secretId });
      const answer = await callAws(call, signal, () => client.send(command, { abortSignal: signal }));
      const value = parse(answer.SecretString, secretId);
      cached = { value, readAt };
      return value;
    },
  };
}

function parse(text: string | undefined, secretId: string): Credential {
  const expected = 'set its value to {"username":"…","password":"…"}, as the provider’s console shows them';
  if (text === undefined) {
    throw new OrglogError('configuration', `The secret ${secretId} holds bytes, not text: ${expected}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OrglogError('configuration', `The secret ${secretId} is not JSON: ${expected}`);
  }
  const result = credential.safeParse(value);
  if (result.success) return result.data;
  const members = new Set(result.error.issues.map((issue) => String(issue.path[0] ?? 'the whole')));
  throw new OrglogError(
    'configuration',
    `The secret ${secretId} is JSON, but ${[...members].join(' and ')} is missing or of the wrong form (a user name has no colon): ${expected}`,
  );
}
