import { z } from 'zod';
import type { CredentialSource } from '../functions/core/ports.ts';
import { type AwsOrder, awsEnvironment, awsFlags } from './aws-options.ts';
import { credentialVariables, variableFaults } from './credential-flags.ts';
import { baseUrl } from './flags.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the provider is, and where the credential for it comes from. */
export const providerFlags = {
  baseUrl: baseUrl.optional(),
  secret: z.string().min(1, 'expected the name or ARN of a secret').optional(),
  ...awsFlags,
};

export interface ProviderOrder extends AwsOrder {
  readonly baseUrl?: string | undefined;
  readonly secret?: string | undefined;
}

/**
 * What is wrong with where the address and the credential come from.
 *
 * @param forWhat what the provider issued the credential for: `its log interface`
 */
export function providerFaults(
  order: Readonly<Record<string, unknown>>,
  env: Environment,
  forWhat: string,
): string[] {
  const { secret } = order;
  const address = baseUrl.safeParse(env.ORGLOG_BASE_URL);
  return [
    ...(order.baseUrl !== undefined || address.success
      ? []
      : env.ORGLOG_BASE_URL === undefined
        ? ["--base-url: missing; expected the provider's address here, or in ORGLOG_BASE_URL"]
        : address.error.issues.map(({ message }) => `ORGLOG_BASE_URL (environment): ${message}`)),
    ...(secret === undefined ? variableFaults(credentialVariables(forWhat).safeParse(env).error) : []),
    ...(['profile', 'region'] as const)
      .filter((name) => secret === undefined && order[name] !== undefined)
      .map((name) => `--${name}: expected together with --secret only`),
  ];
}

/** The address that counts. */
export function addressOf(order: ProviderOrder, env: Environment): string {
  return order.baseUrl ?? baseUrl.parse(env.ORGLOG_BASE_URL);
}

/** Where the credential comes from. The AWS SDK is loaded only for `--secret`: help and usage come at once. */
export async function credentialsOf(
  { secret, ...aws }: ProviderOrder,
  env: Environment,
): Promise<CredentialSource> {
  if (secret === undefined) {
    const { EnvironmentCredentials } = await import('../local/environment-credentials.ts');
    return new EnvironmentCredentials(env);
  }
  const [{ SecretsManagerClient }, { secretsManagerOptions }, { secretsManagerCredentials }] =
    await Promise.all([
      import('@aws-sdk/client-secrets-manager'),
      import('../functions/adapters/aws-clients.ts'),
      import('../functions/adapters/secrets-manager-credentials.ts'),
    ]);
  const awsEnv = awsEnvironment(aws, env);
  const client = new SecretsManagerClient({
    ...secretsManagerOptions(awsEnv),
    ...(awsEnv.AWS_PROFILE !== undefined && { profile: awsEnv.AWS_PROFILE }),
  });
  return secretsManagerCredentials({ client, secretId: secret });
}
