import type { Command } from 'commander';
import { z } from 'zod';
import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import type { CredentialSource } from '../../../functions/core/ports.ts';
import { addAwsOptions, awsEnvironment, awsFlags } from '../../aws-options.ts';
import { credentialVariables, variableFaults } from '../../credential-flags.ts';
import { baseUrl } from '../../flags.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach the provider, and as whom. */
export const connectionFlags = {
  baseUrl: baseUrl.optional(),
  uidField: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'expected the name of a field, for example serviceUid')
    .default('serviceUid'),
  secret: z.string().min(1, 'expected the name or ARN of a secret').optional(),
  ...awsFlags,
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
  const { secret } = order;
  const address = baseUrl.safeParse(env.ORGLOG_BASE_URL);
  return [
    ...(order.baseUrl !== undefined || address.success
      ? []
      : env.ORGLOG_BASE_URL === undefined
        ? ["--base-url: missing; expected the provider's address here, or in ORGLOG_BASE_URL"]
        : variableFaultsOf('ORGLOG_BASE_URL', address.error)),
    ...(secret === undefined ? variableFaults(variables.safeParse(env).error) : []),
    ...(['profile', 'region'] as const)
      .filter((name) => secret === undefined && order[name] !== undefined)
      .map((name) => `--${name}: expected together with --secret only`),
  ];
}

const variables = credentialVariables('its identity interface');

function variableFaultsOf(name: string, error: z.ZodError): string[] {
  return error.issues.map(({ message }) => `${name} (environment): ${message}`);
}

/** The address that counts. */
export function addressOf(order: ConnectionOrder, env: Environment): string {
  return order.baseUrl ?? baseUrl.parse(env.ORGLOG_BASE_URL);
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

async function credentialsOf(
  { secret, ...aws }: ConnectionOrder,
  env: Environment,
): Promise<CredentialSource> {
  if (secret === undefined) {
    const { EnvironmentCredentials } = await import('../../../local/environment-credentials.ts');
    return new EnvironmentCredentials(env);
  }
  const [{ SecretsManagerClient }, { secretsManagerOptions }, { secretsManagerCredentials }] =
    await Promise.all([
      import('@aws-sdk/client-secrets-manager'),
      import('../../../functions/adapters/aws-clients.ts'),
      import('../../../functions/adapters/secrets-manager-credentials.ts'),
    ]);
  const awsEnv = awsEnvironment(aws, env);
  const client = new SecretsManagerClient({
    ...secretsManagerOptions(awsEnv),
    ...(awsEnv.AWS_PROFILE !== undefined && { profile: awsEnv.AWS_PROFILE }),
  });
  return secretsManagerCredentials({ client, secretId: secret });
}
