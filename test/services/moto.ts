import { freePort, type Service, startDaemon, type Up } from './daemon.ts';
import { pythonPackages } from './packages.ts';

const version = '5.2.5';

/** moto's server, in memory: S3, SQS, Secrets Manager, and CloudFormation with what templates make. */
export const moto: Service = { name: 'moto', version, up: () => start(['S3', 'SQS', 'SECRETS_MANAGER']) };

/** The same, where the templates' tables, buckets and queues are made by its CloudFormation. */
export const motoCloudFormation: Service = {
  name: 'moto',
  version,
  async up() {
    const { url, env, down } = await start(['DYNAMODB', 'S3', 'SQS', 'SECRETS_MANAGER']);
    return { url, env: { ...env, ORGLOG_TEST_CLOUDFORMATION: url }, down };
  },
};

/** The linter of CloudFormation templates that moto brings along: it knows every resource's schema. */
export const cfnLint: Service = {
  name: 'cfn-lint',
  version: '1.58.0',
  async up() {
    const folder = await pythonPackages('moto');
    return { url: '', env: { ORGLOG_TEST_CFN_LINT: folder }, down: async () => {} };
  },
};

/** @param served what it serves of `AWS_ENDPOINT_URL_*` */
async function start(served: readonly string[]): Promise<Up> {
  const folder = await pythonPackages('moto');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { down } = await startDaemon({
    program: 'python3',
    args: ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)],
    env: { PYTHONPATH: folder, MOTO_ACCOUNT_ID: '000000000000' },
    url,
    ready: '/moto-api/',
  });
  return { url, env: Object.fromEntries(served.map((name) => [`AWS_ENDPOINT_URL_${name}`, url])), down };
}
