import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AwsEnvironment } from '../../functions/adapters/aws-clients.ts';
import type { AccountContent } from './account.ts';
import { type AwsClients, newClients } from './clients.ts';
import type { Fault, WireCounts } from './wire.ts';

/** Our own services' wire: what reached them, and what is to go wrong. */
interface WireControl {
  counts(): Promise<WireCounts>;
  /** Forget all counts and all faults not yet used. */
  reset(): Promise<void>;
  fail(operation: string, fault: Fault, times?: number): Promise<void>;
}

export interface Services extends AsyncDisposable {
  /** `AWS_*` variables: a handler's environment, or a child process's. */
  readonly env: AwsEnvironment;
  readonly region: string;
  readonly clients: AwsClients;
  /** Fails unless the services are our own (`onLoopback`). */
  readonly wire: WireControl;
  /** What CloudFormation, Lambda and CloudWatch answer with: added to what they have. Ours only, as the wire. */
  describe(account: AccountContent): Promise<void>;
}

const SERVICES = [
  'CLOUDFORMATION',
  'CLOUDWATCH',
  'DYNAMODB',
  'IAM',
  'LAMBDA',
  'S3',
  'SECRETS_MANAGER',
  'SQS',
] as const;

const mode = process.env.ORGLOG_TEST_AWS;
const elsewhere = mode === 'account' || process.env.AWS_ENDPOINT_URL !== undefined;

/**
 * Whether all services are our own, so that the wire is known. Not where `AWS_ENDPOINT_URL` (moto) or one of the
 * `AWS_ENDPOINT_URL_*` (DynamoDB Local) is set; nor with `ORGLOG_TEST_AWS=account`: then everything is made, under
 * random names, in the account that the environment's credentials open, and all but the buckets removed again.
 * `ORGLOG_TEST_AWS=wired` puts the wire before those that `AWS_ENDPOINT_URL_*` name, so that it is known all the same.
 */
export const onLoopback =
  mode === 'wired' ||
  (!elsewhere && SERVICES.every((service) => process.env[`AWS_ENDPOINT_URL_${service}`] === undefined));

/** Start the services, or use those that the environment names. */
export async function startServices(): Promise<Services> {
  return elsewhere ? useGiven() : await startOwn();
}

function useGiven(): Services {
  const { env } = process;
  const region = env.AWS_REGION ?? 'us-east-1';
  const unknown = () => Promise.reject(new Error('the wire is known only where the services are our own'));
  return {
    env: { ...env, AWS_REGION: region },
    region,
    clients: newClients({ ...env, AWS_REGION: region }),
    wire: { counts: unknown, reset: unknown, fail: unknown },
    describe: unknown,
    [Symbol.asyncDispose]: async () => {},
  };
}

const addresses = z.record(z.enum([...SERVICES, 'control']), z.url());

async function startOwn(): Promise<Services> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./main.ts'))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    exited.then(([code]) =>
      Promise.reject(new Error(`the services ended with ${code} before they listened`)),
    ),
  ])) as [string];
  const { control, ...endpoints } = addresses.parse(JSON.parse(line));
  const region = process.env.AWS_REGION ?? 'us-east-1';
  const env: Record<string, string> = {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  for (const service of SERVICES) {
    const name = `AWS_ENDPOINT_URL_${service}`;
    env[name] = (mode === 'wired' ? undefined : process.env[name]) ?? endpoints[service];
  }
  const clients = newClients(env);
  const post = async (path: string, body?: object): Promise<void> => {
    const response = await fetch(`${control}${path}`, { method: 'POST', body: JSON.stringify(body ?? {}) });
    if (!response.ok) throw new Error(`the services answered ${response.status} to ${path}`);
    await response.body?.cancel();
  };
  return {
    env,
    region,
    clients,
    wire: {
      counts: async () => (await (await fetch(`${control}/__counts`)).json()) as WireCounts,
      reset: () => post('/__reset'),
      fail: (operation, fault, times = 1) => post('/__faults', { operation, fault, times }),
    },
    describe: (account) => post('/__account', account),
    async [Symbol.asyncDispose]() {
      for (const client of Object.values(clients)) client.destroy();
      child.stdin.end();
      await exited;
    },
  };
}
