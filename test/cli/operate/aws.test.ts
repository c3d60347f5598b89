import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSuite } from '../../adapters/aws-suite.ts';
import { onLoopback } from '../../aws/services.ts';
import { orglogHere } from '../in-process.ts';
import { awsBed } from './aws-bed.ts';
import type { OperateBed } from './bed.ts';
import { operateSuite } from './suite.ts';

const services = await awsSuite();

describe.runIf(onLoopback)('the operator’s commands on what the templates deploy', () => {
  let bed: OperateBed;
  beforeAll(async () => {
    bed = await awsBed(services);
  });
  afterAll(() => bed[Symbol.asyncDispose]());
  operateSuite(() => bed);

  test('a stack that is not there ends with 3, and says where it was looked for', async () => {
    const { outcome, stdout, stderr } = await orglogHere(['status', '--stack', 'other'], { env: bed.env });
    expect({ outcome, stdout }).toEqual({ outcome: 3, stdout: '' });
    expect(stderr).toContain(`no stack other-foundation in ${services.region}`);
  });
});
