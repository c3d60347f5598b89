import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { OperatorSecrets, SecretStanding } from '../../core/operate/ports.ts';
import type { Credential } from '../../core/ports.ts';
import { type AwsCall, callAws, isAwsError } from '../aws-errors.ts';
import { secretsManagerCredentials } from '../secrets-manager-credentials.ts';

/**
 * The secrets in Secrets Manager, for an operator. Needs `secretsmanager:DescribeSecret` to describe one, as that tells
 * without reading the value; `GetSecretValue` to read it and `PutSecretValue` to store one.
 */
export function secretsManagerSecrets({
  client,
}: {
  readonly client: SecretsManagerClient;
}): OperatorSecrets {
  const call = (operation: string, name: string): AwsCall => ({
    service: 'Secrets Manager',
    permission: `secretsmanager:${operation}`,
    resource: `secret ${name}`,
    ifMissing: 'deploy its stack first, which makes it without a value',
    secret: true,
  });

  return {
    async describe(name: string, signal: AbortSignal): Promise<SecretStanding> {
      const command = new DescribeSecretCommand({ SecretId: name });
      return await callAws(call('DescribeSecret', name), signal, async () => {
        try {
          const answer = await client.send(command, { abortSignal: signal });
          // Somebody deleted it, and it can be restored for a while: nobody can read it meanwhile.
          if (answer.DeletedDate !== undefined) return { kind: 'missing' };
          const stages = Object.values(answer.VersionIdsToStages ?? {}).flat();
          if (!stages.includes('AWSCURRENT')) return { kind: 'empty' };
          const changedAt = answer.LastChangedDate?.getTime();
          return { kind: 'stored', ...(changedAt === undefined ? {} : { changedAt }) };
        } catch (error) {
          if (isAwsError(error, 'ResourceNotFoundException')) return { kind: 'missing' };
          throw error;
        }
      });
    },

    async read(name: string, signal: AbortSignal): Promise<Credential> {
      return await secretsManagerCredentials({ client, secretId: name }).get({ fresh: true }, signal);
    },

    async store(name: string, { username, password }: Credential, signal: AbortSignal): Promise<void> {
      const SecretString = JSON.stringify({ username, password });
      const command = new PutSecretValueCommand({ SecretId: name, SecretString });
      await callAws(call('PutSecretValue', name), signal, () =>
        client.send(command, { abortSignal: signal }),
      );
    },
  };
}
