import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSuite } from '../../adapters/aws-suite.ts';
import { onLoopback } from '../../aws/services.ts';
import { orglogHere } from '../in-process.ts';
import { awsBed } from './aws-bed.ts';
import { type OperateBed, on } from './bed.ts';
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

  test('a credential that is refused is said to be in its secret', async () => {
    bed.provider.faults.add({ kind: 'status', status: 401 }, { times: 2 });
    const args = ['rewind', '--org', 'institution', '--to', '3', '--yes'];
    const { outcome, stderr } = await on(bed)(args);
    expect(outcome).toBe(1);
    expect(stderr).toContain('the provider refuses the credential of institution');
    expect(stderr).toContain('`orglog secret set`');
    expect(stderr).not.toContain('ORGLOG_USERNAME');
  });

  test('trouble that comes while it watches is told, and does not end it', async () => {
    const stop = new AbortController();
    let looks = 0;
    const watching = on(bed)(['status', '--watch', '1'], {
      stop: stop.signal,
      onPrinted: (piece) => {
        if (!piece.includes('institution')) return;
        looks += 1;
        // As a right that is taken away: nothing is tried again.
        const body = JSON.stringify({
          __type: 'com.amazonaws.dynamodb#AccessDeniedException',
          message: 'no',
        });
        if (looks === 1) void services.wire.fail('Scan', { kind: 'answer', status: 400, body });
        if (looks === 2) stop.abort();
      },
    });
    const { outcome, stderr } = await watching;
    expect(outcome).toBe(0);
    expect(stderr).toMatch(/^no news: .*dynamodb:Scan/);
  });
});
