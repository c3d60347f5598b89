import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cached } from './cache.ts';
import { command, requireProgram, Unavailable } from './command.ts';
import type { Service } from './daemon.ts';

const version = '4.0.2';

/** Amazon's runtime client for Node, as it is inside Lambda. Its native part is built for the Node that runs this. */
export const lambdaRic: Service = {
  name: 'aws-lambda-ric',
  version,
  async up() {
    const node = dirname(dirname(process.execPath));
    const headers = join(node, 'include', 'node', 'node_api.h');
    if (!existsSync(headers)) throw new Unavailable(`the headers of this Node are not beside it: ${headers}`);
    const name = `aws-lambda-ric-${version}-${process.version}-${process.arch}`;
    const folder = await cached(name, async (made) => {
      for (const program of ['cmake', 'make', 'g++']) await requireProgram(program, '--version');
      const manifest = { name: 'ric', version: '0.0.0', allowScripts: { 'aws-lambda-ric': true } };
      await writeFile(join(made, 'package.json'), JSON.stringify(manifest));
      const options = ['--no-audit', '--no-fund', '--no-save', '--foreground-scripts'];
      await command('npm', ['install', `aws-lambda-ric@${version}`, ...options], {
        cwd: made,
        env: { npm_config_nodedir: node, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      });
    });
    const entry = join(folder, 'node_modules', 'aws-lambda-ric', 'index.mjs');
    const built = (await readdir(dirname(entry))).some((file) => file.endsWith('.node'));
    if (!built) throw new Unavailable('the native part was not built');
    return { url: '', env: { ORGLOG_TEST_LAMBDA_RIC: entry }, down: async () => {} };
  },
};
