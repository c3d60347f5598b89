import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { javaOf } from './command.ts';
import { freePort, type Service, startDaemon } from './daemon.ts';
import { mavenJars } from './packages.ts';

const version = '3.0.0';

/** Amazon's own, in memory. */
export const dynamoDbLocal: Service = {
  name: 'DynamoDB Local',
  version,
  async up() {
    const { java } = await javaOf(17);
    const folder = await mavenJars(
      `dynamodb-local-${version}`,
      [`software.amazon.dynamodb:DynamoDBLocal:${version}`],
      // Its native library is looked for under the name without a version.
      { stripVersion: true },
    );
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const jars = join(folder, 'jars');
    const launcher = fileURLToPath(new URL('./java/DynamoDbOnLoopback.java', import.meta.url));
    const own = ['-inMemory', '-disableTelemetry', '-port', String(port)];
    const args = [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`, launcher, ...own];
    const { down } = await startDaemon({ program: java, args, url });
    return { url, env: { AWS_ENDPOINT_URL_DYNAMODB: url }, down };
  },
};
