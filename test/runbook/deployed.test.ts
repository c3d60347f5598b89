import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSuite } from '../adapters/aws-suite.ts';
import { onLoopback } from '../aws/services.ts';
import { replaceSecret } from '../aws/resources.ts';
import { type DeployedSystem, deployedSystem, PASSWORD, TOKEN } from './deployed-system.ts';

const services = await awsSuite();
describe.runIf(onLoopback)('x', () => {
  let system: DeployedSystem;
  beforeAll(async () => {
    console.time('bed');
    system = await deployedSystem(services);
    console.timeEnd('bed');
  });
  afterAll(() => system[Symbol.asyncDispose]());
  test('a', async () => {
    await replaceSecret(services, 'orglog/logs/institution', { username: 'collector', password: PASSWORD });
    await replaceSecret(services, 'orglog/identities/institution', { username: 'follower', password: PASSWORD });
    await replaceSecret(services, 'orglog/sinks/splunk', { token: TOKEN });
    system.produce(40);
    console.time('p');
    await system.periods(3);
    console.timeEnd('p');
    console.log(system.functions.collect.log, system.functions.sync.log, system.functions.deliver.log, system.alarms.raised, system.missing());
  });
});
