import { expect, test } from 'vitest';
import { pseudonymsOf, secretsManagerPseudonyms } from '../../functions/adapters/pseudonyms.ts';
import { createSecret, removeSecret, replaceSecret } from '../aws/resources.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { secretsManager: client } = services.clients;
const signal = new AbortController().signal;
const KEY = 'a'.repeat(64);

test('a pseudonym is the HMAC-SHA-256 of the value, hexadecimal', () => {
  // openssl dgst -sha256 -hmac "$(printf 'a%.0s' {1..64})"
  expect(pseudonymsOf(KEY).pseudonym('ada@institution.edu')).toBe(
    'hmac:08f30a6d12d279ffb0fecd2e25cd2caf3e11fb3d21cedfea8572efec2f29481c',
  );
});

test('it is the same for the same value and key only', () => {
  const { pseudonym, keyId } = pseudonymsOf(KEY);
  const other = pseudonymsOf('b'.repeat(64));
  expect(pseudonymsOf(KEY)).toMatchObject({ keyId });
  expect(pseudonymsOf(KEY).pseudonym('a')).toBe(pseudonym('a'));
  expect(new Set(['a', 'A', 'ä', ''].flatMap((v) => [pseudonym(v), other.pseudonym(v)])).size).toBe(8);
  expect(other.keyId).not.toBe(keyId);
  expect(keyId).toMatch(/^[0-9a-f]{16}$/);
});

test('the key is read once, and again after a failure', async () => {
  const secretId = await createSecret(services, 'too short');
  try {
    const open = secretsManagerPseudonyms({ client, secretId });
    expect(await rejection(open(signal))).toMatchObject({ code: 'configuration' });
    await replaceSecret(services, secretId, KEY);
    expect((await open(signal)).keyId).toBe(pseudonymsOf(KEY).keyId);
    await replaceSecret(services, secretId, 'b'.repeat(64));
    expect((await open(signal)).keyId).toBe(pseudonymsOf(KEY).keyId);
  } finally {
    await removeSecret(services, secretId);
  }
});

test('a secret that is not there is said to be made by the deployment', async () => {
  const error = await rejection(secretsManagerPseudonyms({ client, secretId: 'orglog/none' })(signal));
  expect(error).toMatchObject({ code: 'configuration' });
  expect(String(error)).toMatch(/secret orglog\/none.*deploy again/);
});
