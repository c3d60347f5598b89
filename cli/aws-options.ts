import type { Command } from 'commander';
import { z } from 'zod';
import type { AwsEnvironment } from '../functions/adapters/aws-clients.ts';

/** `--profile` and `--region`, as in the AWS CLI. */
export const awsFlags = {
  profile: z.string().min(1, 'expected the name of a profile').optional(),
  region: z
    .string()
    .regex(/^[a-z]{2,}(-[a-z]+)+-\d+$/, 'expected the name of a region, for example us-east-1')
    .optional(),
};

export interface AwsOrder {
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
}

/** Adds both options to a command. */
export function addAwsOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'AWS profile, as in the AWS CLI')
    .option('--region <name>', 'AWS region, as in the AWS CLI');
}

/**
 * The environment for clients of AWS: as the AWS CLI does, a profile that is named wins over keys in the environment,
 * and `AWS_DEFAULT_REGION` counts where `AWS_REGION` is not set.
 */
export function awsEnvironment({ profile, region }: AwsOrder, env: AwsEnvironment): AwsEnvironment {
  const {
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN,
    AWS_REGION,
    AWS_DEFAULT_REGION,
    AWS_PROFILE,
    ...others
  } = env;
  const keys = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN };
  return {
    ...others,
    ...(profile === undefined && keys),
    AWS_PROFILE: profile ?? AWS_PROFILE,
    AWS_REGION: region ?? AWS_REGION ?? AWS_DEFAULT_REGION,
  };
}
