import type { Command } from 'commander';
import { z } from 'zod';
import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import { addAwsOptions } from '../../aws-options.ts';
import { addressOf, credentialsOf, providerFaults, providerFlags } from '../../provider-connection.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const { baseUrl, ...credentialFlags } = providerFlags;

/** How to reach the provider, and as whom. */
export const connectionFlags = {
  baseUrl,
  uidField: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'expected the name of a field, for example serviceUid')
    .default('serviceUid'),
  ...credentialFlags,
};

export type ConnectionOrder = z.output<z.ZodObject<typeof connectionFlags>>;

/** Adds the options to a command. */
export function addConnectionOptions(command: Command): void {
  command
    .optionsGroup('Connection:')
    .option('--base-url <url>', "the provider's address (default: ORGLOG_BASE_URL)")
    .option('--uid-field <name>', "how this deployment calls an identity's identifier")
    .option('--secret <id>', 'credential from Secrets Manager, not the environment');
  addAwsOptions(command);
}

/** What is wrong with where the address and the credential come from. */
export function connectionFaults(order: Partial<ConnectionOrder>, env: Environment): string[] {
  return providerFaults(order, env, 'its identity interface');
}

/** A client of the provider. HTTP is loaded here, and the AWS SDK only for `--secret`: help and usage come at once. */
export async function connect(
  order: ConnectionOrder,
  env: Environment,
): Promise<IdentitiesApi & AsyncDisposable> {
  const [{ createIdentitiesClient }, credentials] = await Promise.all([
    import('../../../functions/adapters/identities/client.ts'),
    credentialsOf(order, env),
  ]);
  return createIdentitiesClient({
    baseUrl: addressOf(order, env),
    uidField: order.uidField,
    credentials,
  });
}
