import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { awsSuite } from '../adapters/aws-suite.ts';
import { findFunction, only, referringTo, scheduledEvent, startFunction } from '../artefact/functions.ts';
import { DESTINATIONS, deployInstitution } from '../artefact/institution.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('./java/PullConsumer.java', import.meta.url));
const { ORGLOG_TEST_JAVA: java = 'java', ORGLOG_TEST_AWS_SDK_JAVA: jars } = process.env;

const services = await awsSuite();

it('gets every event of a log from each queue, and leaves none behind', async () => {
  await using institution = await deployInstitution(services);
  const { deployment } = institution;
  institution.accept('a password');
  await institution.store('a password');
  const fn = findFunction(deployment, { handler: 'collect.handler' });
  const schedule = only(referringTo(deployment, fn, 'AWS::Scheduler::Schedule', 'Target'));
  {
    await using container = await startFunction(deployment, fn);
    institution.produce(2_000, 50);
    for (const events of [2_000, 700]) {
      const { outcome } = await container.invoke(await scheduledEvent(deployment, schedule));
      expect(outcome).toMatchObject({ body: { outcome: 'caught-up', events } });
      if (events === 2_000) institution.produce(700, 1);
      await institution.aPeriodLater();
    }
  }
  const lines = (text: string) => text.trimEnd().split('\n').sort();
  const sent = lines(institution.log());
  for (const destination of DESTINATIONS) {
    const named = [];
    for (const queue of deployment.resourcesOf('AWS::SQS::Queue')) {
      const name = String(await deployment.property(queue, 'QueueName'));
      if (name.endsWith(`-${destination}`)) named.push((await deployment.made(queue)).ref);
    }
    expect(named).toHaveLength(1);
    const { env } = services;
    const addresses = [env.AWS_ENDPOINT_URL_SQS ?? '', env.AWS_ENDPOINT_URL_S3 ?? ''];
    const { stdout } = await run(java, ['-cp', `${jars}/*`, PROGRAM, ...addresses, ...named], {
      env: { ...process.env, ...env },
      maxBuffer: 64 << 20,
    });
    const arrived = lines(stdout);
    expect(arrived).toHaveLength(sent.length);
    expect(arrived.join('\n') === sent.join('\n'), 'every event, exactly').toBe(true);
    expect(await institution.announced(destination)).toStrictEqual([]);
  }
});
