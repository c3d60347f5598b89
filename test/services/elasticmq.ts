import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { javaOf } from './command.ts';
import { freePort, type Service, startDaemon } from './daemon.ts';
import { mavenJars } from './packages.ts';

const version = '1.6.14';

/** SQS by ElasticMQ, in memory, with SQS's own limits. */
export const elasticMq: Service = {
  name: 'ElasticMQ',
  version,
  async up() {
    const { java } = await javaOf(17);
    const folder = await mavenJars(`elasticmq-${version}`, [
      `org.elasticmq:elasticmq-server_2.13:${version}`,
    ]);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const made = await temporaryFolder();
    const file = join(made.path, 'elasticmq.conf');
    await writeFile(file, configuration(port));
    const args = [`-Dconfig.file=${file}`, '-cp', `${join(folder, 'jars')}/*`, 'org.elasticmq.server.Main'];
    const daemon = await startDaemon({ program: java, args, url, ready: '/health' });
    return {
      url,
      env: { AWS_ENDPOINT_URL_SQS: url },
      async down() {
        await daemon.down();
        await made[Symbol.asyncDispose]();
      },
    };
  },
};

function configuration(port: number): string {
  return `include classpath("application.conf")
node-address { protocol = http, host = "127.0.0.1", port = ${port}, context-path = "" }
rest-sqs { enabled = true, bind-hostname = "127.0.0.1", bind-port = ${port}, sqs-limits = strict }
rest-stats { enabled = false }
aws { region = us-east-1, accountId = 000000000000 }
`;
}
