import { freePort, type Service, startDaemon } from './daemon.ts';
import { pythonPackages } from './packages.ts';

const version = '5.2.5';

/** moto's server, in memory: S3, SQS, Secrets Manager, and CloudFormation with what templates make. */
export const moto: Service = {
  name: 'moto',
  version,
  async up() {
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
    const served = ['S3', 'SQS', 'SECRETS_MANAGER'];
    return { url, env: Object.fromEntries(served.map((name) => [`AWS_ENDPOINT_URL_${name}`, url])), down };
  },
};
