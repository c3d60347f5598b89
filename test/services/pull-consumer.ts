import { join } from 'node:path';
import { javaOf } from './command.ts';
import type { Service } from './daemon.ts';
import { elasticMq } from './elasticmq.ts';
import { mavenJars } from './packages.ts';
import { versityGw } from './versitygw.ts';

const version = '2.30.0';
const PARTS = ['s3', 's3-event-notifications', 'sqs', 'url-connection-client'];

/** A pull consumer of the AWS SDK for Java, a queue and a bucket: not a line of ours on the reading side. */
export const pullConsumer: Service = {
  name: 'AWS SDK for Java',
  version,
  async up() {
    const { java } = await javaOf(17);
    const folder = await mavenJars(
      `aws-sdk-java-${version}`,
      PARTS.map((part) => `software.amazon.awssdk:${part}:${version}` as const),
    );
    const queues = await elasticMq.up();
    const archive = await versityGw.up().catch(async (error) => {
      await queues.down();
      throw error;
    });
    const own = { ORGLOG_TEST_JAVA: java, ORGLOG_TEST_AWS_SDK_JAVA: join(folder, 'jars') };
    return {
      url: queues.url,
      env: { ...queues.env, ...archive.env, ...own },
      async down() {
        await Promise.all([queues.down(), archive.down()]);
      },
    };
  },
};
