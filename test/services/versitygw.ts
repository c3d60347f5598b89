import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { freePort, type Service, startDaemon } from './daemon.ts';
import { goProgram } from './packages.ts';

const version = 'v1.8.0';

/** S3 by the Versity gateway, over files: signatures are checked, and `If-None-Match` is its own. */
export const versityGw: Service = {
  name: 'versitygw',
  version,
  async up() {
    const program = await goProgram('github.com/versity/versitygw/cmd/versitygw', version);
    const made = await temporaryFolder();
    const [data, attributes] = [join(made.path, 'data'), join(made.path, 'attributes')];
    for (const folder of [data, attributes]) await mkdir(folder);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const args = [
      '--port',
      `127.0.0.1:${port}`,
      '--region',
      'us-east-1',
      'posix',
      '--sidecar',
      attributes,
      data,
    ];
    const env = { ROOT_ACCESS_KEY: 'test', ROOT_SECRET_KEY: 'test' };
    const daemon = await startDaemon({ program, args, env, url });
    return {
      url,
      env: { AWS_ENDPOINT_URL_S3: url },
      async down() {
        await daemon.down();
        await made[Symbol.asyncDispose]();
      },
    };
  },
};
