import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSuite } from '../adapters/aws-suite.ts';
import { onLoopback } from '../aws/services.ts';
import { type OnCall, onCall } from './deployed-desk.ts';
import { deployedSystem } from './deployed-system.ts';
import { destinationEntries } from './destination-entries.ts';
import { identityEntries } from './identity-entries.ts';
import { organizationEntries } from './organization-entries.ts';

const services = await awsSuite();

// In this order: each entry finds a system that is well, and leaves it so.
describe.runIf(onLoopback)('the runbook on what the templates deploy', () => {
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  let person: OnCall;
  beforeAll(async () => {
    person = onCall(opened.use(await deployedSystem(services)));
  });
  organizationEntries(() => person);
  destinationEntries(() => person);
  identityEntries(() => person);

  test('has no command that was not run here, and shows nothing that was not seen', () => {
    expect(person.desk.left).toEqual([]);
  });
});
