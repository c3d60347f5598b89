import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { OrglogError } from '../core/errors.ts';
import type { SinkCredentials } from '../core/ports-delivery.ts';
import { callAws } from './aws-errors.ts';
import { basicAuthorization } from './basic-auth.ts';

/** How the JSON of a secret becomes an `Authorization` header. */
export interface SecretForm {
  /** What the secret's value should be, for people. */
  readonly expected: string;
  /** `undefined`: the value is not of this form. */
  readonly authorization: (value: unknown) => string | undefined;
}

const visible = z.string().check(z.regex(/^[!-~]+$/));
const hec = z.lazy(() => z.object({ token: visible }));
const apiKey = z.lazy(() => z.object({ apiKey: visible }));
const login = z.lazy(() =>
  z.object({ username: z.string().check(z.minLength(1)), password: z.string().check(z.minLength(1)) }),
);

/** Splunk's HTTP Event Collector: `Authorization: Splunk <token>`. */
export const HEC_SECRET: SecretForm = {
  expected: '{"token":"…"}, the token as Splunk shows it',
  authorization(value) {
    const { data } = hec.safeParse(value);
    return data && `Splunk ${data.token}`;
  },
};

/** Elasticsearch: an API key in its encoded form, or a user's name and password. */
export const ELASTIC_SECRET: SecretForm = {
  expected: '{"apiKey":"…"}, the key in its encoded form, or {"username":"…","password":"…"}',
  authorization(value) {
    const key = apiKey.safeParse(value).data;
    if (key !== undefined) return `ApiKey ${key.apiKey}`;
    const pair = login.safeParse(value).data;
    return pair && basicAuthorization(pair);
  },
};

export interface SinkSecretOptions {
  readonly client: SecretsManagerClient;
  /** Name or ARN. */
  readonly secretId: string;
  readonly form: SecretForm;
  /** How long a value may be used before it is read again. Default: one hour. */
  readonly maxAgeMs?: number;
  /** Epoch ms; for the age only. */
  readonly now?: () => number;
}

const HOUR_MS = 3_600_000;

/**
 * A sink's credential from a secret. Read at the first use, then once per `maxAgeMs`; calls that come together share
 * one read. No error of this file has a cause or quotes an answer: both may hold the value.
 */
export function secretsManagerSinkCredentials(options: SinkSecretOptions): SinkCredentials {
  const { client, secretId, form, maxAgeMs = HOUR_MS, now = Date.now } = options;
  const call = {
    service: 'Secrets Manager',
    permission: 'secretsmanager:GetSecretValue',
    resource: `secret ${secretId}`,
    secret: true,
  };
  let cached: { readonly value: string; readonly readAt: number } | undefined;
  let reading: Promise<string> | undefined;

  const read = async (signal: AbortSignal): Promise<string> => {
    const readAt = now();
    const command = new GetSecretValueCommand({ SecretId: secretId });
    const answer = await callAws(call, signal, () => client.send(command, { abortSignal: signal }));
    const value = authorizationOf(answer.SecretString, secretId, form);
    cached = { value, readAt };
    return value;
  };

  return {
    async authorization({ fresh }, signal) {
      if (!fresh && cached !== undefined && now() - cached.readAt < maxAgeMs) return cached.value;
      reading ??= read(signal).finally(() => {
        reading = undefined;
      });
      return await reading;
    },
  };
}

function authorizationOf(text: string | undefined, secretId: string, form: SecretForm): string {
  const value = text === undefined ? undefined : form.authorization(parsed(text));
  if (value !== undefined) return value;
  throw new OrglogError(
    'configuration',
    `The secret ${secretId} is not of the form that the destination needs: set its value to ${form.expected}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
