import { describe, expect, it } from 'vitest';
import { secretsManagerCredentials } from '../../functions/adapters/secrets-manager-credentials.ts';
import { createSecret, removeSecret, replaceSecret } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { credentialSourceContract } from '../contracts/credential-source.ts';
import { never } from '../contracts/support.ts';
import { awsSuite, rejection } from './aws-suite.ts';

const services = await awsSuite();
const { secretsManager: client } = services.clients;

credentialSourceContract('Secrets Manager', async (stored) => {
  const secretId = await createSecret(services, stored);
  return {
    source: secretsManagerCredentials({ client, secretId }),
    secretName: secretId,
    replace: (value) => replaceSecret(services, secretId, value),
    [Symbol.asyncDispose]: () => removeSecret(services, secretId),
  };
});

const hidden = 'correct-horse-xyzzy';

/** Everything that a logger could print of an error. */
function everything(error: Error): string {
  const properties = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)));
  return `${properties.join(' ')} ${JSON.stringify(error)}`;
}

describe('Secrets Manager credentials', () => {
  it('reads once per age, and again when asked to', async () => {
    const secretId = await createSecret(services, { username: 'u', password: 'first' });
    let time = 0;
    const source = secretsManagerCredentials({ client, secretId, maxAgeMs: 1000, now: () => time });
    expect(await source.get({ fresh: false }, never)).toStrictEqual({ username: 'u', password: 'first' });
    await replaceSecret(services, secretId, { username: 'u', password: 'second' });
    time = 999;
    expect((await source.get({ fresh: false }, never)).password).toBe('first');
    time = 1000;
    expect((await source.get({ fresh: false }, never)).password).toBe('second');
    await replaceSecret(services, secretId, { username: 'u', password: 'third' });
    expect((await source.get({ fresh: true }, never)).password).toBe('third');
    await removeSecret(services, secretId);
  });

  it.each([
    ['text', hidden],
    ['JSON of another kind', `["${hidden}"]`],
    ['a JSON string', JSON.stringify(hidden)],
    ['truncated JSON', `{"username":"u","password":"${hidden}`],
    ['other members', { user: 'u', [hidden]: hidden }],
    ['a user name with a colon', { username: `u:${hidden}`, password: hidden }],
    ['a number for a password', { username: hidden, password: 12 }],
    ['bytes', Buffer.from(hidden)],
  ])('names the secret, never its value: %s', async (_what, value) => {
    const secretId = await createSecret(services, value);
    const source = secretsManagerCredentials({ client, secretId });
    const error = await rejection(source.get({ fresh: false }, never));
    expect(error.code).toBe('configuration');
    expect(error.message).toContain(secretId);
    expect(everything(error)).not.toContain('xyzzy');
    await removeSecret(services, secretId);
  });

  it('names a secret that does not exist, and what to do', async () => {
    const source = secretsManagerCredentials({ client, secretId: 'orglog-not-deployed' });
    const error = await rejection(source.get({ fresh: false }, never));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/secret orglog-not-deployed .*it is not deployed, or its name/);
  });

  it('says that a secret which is deployed has no value yet', async () => {
    const secretId = await createSecret(services);
    const source = secretsManagerCredentials({ client, secretId });
    const error = await rejection(source.get({ fresh: false }, never));
    expect(error.code).toBe('configuration');
    expect(error.message).toContain(secretId);
    expect(error.message).toContain('it has no value yet (README, "Store the credential")');
    await removeSecret(services, secretId);
  });

  describe.runIf(onLoopback)('at the wire', () => {
    it('keeps an answer that cannot be parsed to itself', async () => {
      const secretId = await createSecret(services, {});
      const source = secretsManagerCredentials({ client, secretId });
      await services.wire.fail(
        'GetSecretValue',
        { kind: 'answer', status: 200, body: `{"SecretString":"${hidden}` },
        3,
      );
      const error = await rejection(source.get({ fresh: false }, never));
      expect(error.message).toContain(secretId);
      expect(everything(error)).not.toContain('xyzzy');
      await services.wire.reset();
      await services.wire.fail(
        'GetSecretValue',
        { kind: 'answer', status: 400, body: `{"message":"${hidden}"}` },
        3,
      );
      expect(everything(await rejection(source.get({ fresh: false }, never)))).not.toContain('xyzzy');
    });

    it('names the permission that is missing', async () => {
      const source = secretsManagerCredentials({ client, secretId: 'orglog-secret' });
      const body = JSON.stringify({ __type: 'AccessDeniedException', Message: 'not authorized' });
      await services.wire.fail('GetSecretValue', { kind: 'answer', status: 400, body });
      const error = await rejection(source.get({ fresh: false }, never));
      expect(error.code).toBe('configuration');
      expect(error.message).toMatch(/denied secretsmanager:GetSecretValue on the secret orglog-secret/);
    });
  });
});
