import type { Command } from 'commander';
import { z } from 'zod';
import type { AwsDeploymentOptions } from '../../../functions/adapters/operator/deployment.ts';
import type { Deployment } from '../../../functions/core/operate/ports.ts';
import { addAwsOptions, awsFlags } from '../../aws-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Which running system a command works on. */
export const backendFlags = {
  dataDir: z.string().min(1, 'expected the path of a folder').optional(),
  stack: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, 'expected the name that the stacks were deployed under')
    .optional(),
  ...awsFlags,
};

export type BackendOrder = z.output<z.ZodObject<typeof backendFlags>>;

/** The name that stacks are deployed under unless the settings say otherwise. */
const DEFAULT_STACK = 'orglog';

/** Adds the options to a command. */
export function addBackendOptions(command: Command): void {
  command
    .optionsGroup('Which system:')
    .option('--data-dir <dir>', 'the data folder of an `orglog local`')
    .option('--stack <name>', `the system deployed under this name (default: ${DEFAULT_STACK})`);
  addAwsOptions(command);
}

/** What is wrong with options together. */
export function backendFaults(raw: Readonly<Record<string, unknown>>): string[] {
  if (raw.dataDir === undefined) return [];
  return (['stack', 'profile', 'region'] as const)
    .filter((name) => raw[name] !== undefined)
    .map((name) => `--${name}: expected without --data-dir`);
}

/** The data folder, if it is one: named, or by ORGLOG_DATA_DIR where no stack is. What lies around decides nothing. */
function folderOf({ dataDir, stack, profile, region }: BackendOrder, env: Environment): string | undefined {
  if (dataDir !== undefined) return dataDir;
  const isAws = [stack, profile, region].some((given) => given !== undefined);
  return isAws || env.ORGLOG_DATA_DIR === '' ? undefined : env.ORGLOG_DATA_DIR;
}

/** The options that name the same system to another command: to be shown behind one, with a space before. */
export function sameSystem({ dataDir, stack, profile, region }: BackendOrder): string {
  const given = { 'data-dir': dataDir, stack, profile, region };
  return Object.entries(given)
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${quoted(value)}`))
    .join('');
}

/** As a shell needs it. */
function quoted(value: string): string {
  return /^[\w./:@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

/** A running system, opened. */
export interface Backend extends AsyncDisposable {
  readonly deployment: Deployment;
  /** What a person should know about it now. */
  readonly remark: () => string | undefined;
  /** How it was found in AWS; absent of a data folder. */
  readonly aws?: AwsDeploymentOptions;
}

/** The embedded backend and the AWS SDK are each loaded only where they are worked with. */
export async function openBackend(
  order: BackendOrder,
  env: Environment,
  signal: AbortSignal,
): Promise<Backend> {
  const folder = folderOf(order, env);
  if (folder !== undefined) {
    const { openLocalDeployment } = await import('../../../local/deployment.ts');
    const deployment = await openLocalDeployment(folder, env);
    const remark = () =>
      deployment.isAtWork()
        ? undefined
        : 'at rest: nothing happens in it until `orglog local` is started again';
    return { deployment, remark, [Symbol.asyncDispose]: () => deployment[Symbol.asyncDispose]() };
  }
  const { stack, profile, region } = order;
  const { openAwsDeployment } = await import('../../../functions/adapters/operator/deployment.ts');
  const access = { env, ...(profile !== undefined && { profile }), ...(region !== undefined && { region }) };
  const aws = { stack: stack ?? DEFAULT_STACK, ...access };
  const deployment = await openAwsDeployment(aws, signal);
  return {
    ...{ deployment, aws },
    remark: () => undefined,
    [Symbol.asyncDispose]: () => deployment[Symbol.asyncDispose](),
  };
}
