import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ELASTIC_SECRET,
  HEC_SECRET,
  type SecretForm,
  secretsManagerSinkCredentials,
} from '../../functions/adapters/sink-secrets.ts';
import { createSecret, removeSecret, replaceSecret } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { never } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { secretsManager: client } = services.clients;
const made: string[] = [];
afterEach(async () => {
  for (const id of made.splice(0)) await removeSecret(services, id);
});

async function credentials(form: SecretForm, value: object | string | Uint8Array) {
  const secretId = await createSecret(services, value);
  made.push(secretId);
  let now = 0;
  const source = secretsManagerSinkCredentials({ client, secretId, form, maxAgeMs: 1_000, now: () => now });
  const read = (fresh = false) => source.authorization({ fresh }, never);
  return { secretId, read, pass: (ms: number) => (now += ms) };
}

describe('a sink’s secret', () => {
  it.each([
    ['a HEC token', HEC_SECRET, { token: 'abc-123' }, 'Splunk abc-123'],
    ['an API key', ELASTIC_SECRET, { apiKey: 'a2V5' }, 'ApiKey a2V5'],
    ['a login', ELASTIC_SECRET, { username: 'u', password: 'ä' }, 'Basic dTrDpA=='],
  ])('becomes an Authorization header: %s', async (_, form, value, expected) => {
    expect(await (await credentials(form, value)).read()).toBe(expected);
  });

  it.each([
    ['bytes', HEC_SECRET, new Uint8Array([1, 2])],
    ['no JSON', HEC_SECRET, '{"token":"oops-4711"'],
    ['no token', HEC_SECRET, { apiKey: 'oops-4711' }],
    ['a token with a line break', HEC_SECRET, { token: 'oops-4711\n' }],
    ['half a login', ELASTIC_SECRET, { username: 'oops-4711' }],
    ['a login that Basic cannot carry', ELASTIC_SECRET, { username: 'oops-4711:', password: 'p' }],
  ])('of another form is named, and not shown: %s', async (_, form, value) => {
    const { read } = await credentials(form, value);
    const error = await rejection(read());
    expect(error.code).toBe('configuration');
    expect(inspect(error, { depth: 9 })).not.toContain('4711');
  });

  it.runIf(onLoopback)('is read once, then when it is old, or asked for afresh', async () => {
    const { secretId, read, pass } = await credentials(HEC_SECRET, { token: 'first' });
    await Promise.all([read(), read(), read()]);
    expect(await services.wire.counts()).toMatchObject({ secretsmanager: { GetSecretValue: 1 } });
    await replaceSecret(services, secretId, { token: 'second' });
    expect(await read()).toBe('Splunk first');
    expect(await read(true)).toBe('Splunk second');
    await replaceSecret(services, secretId, { token: 'third' });
    expect(await read()).toBe('Splunk second');
    pass(1_000);
    expect(await read()).toBe('Splunk third');
  });
});
