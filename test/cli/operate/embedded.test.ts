import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { on } from './bed.ts';
import { type LocalBed, localBed } from './local-bed.ts';
import { operateSuite } from './suite.ts';

describe('the operator’s commands on a data folder', () => {
  let bed: LocalBed;
  beforeAll(async () => {
    bed = await localBed();
  });
  afterAll(() => bed[Symbol.asyncDispose]());
  operateSuite(() => bed);

  test('a credential that is refused is said to be in the environment', async () => {
    const args = ['rewind', '--org', 'institution', '--to', '3', '--yes'];
    const { outcome, stderr } = await on(bed)(args, { env: { ORGLOG_PASSWORD: 'wrong' } });
    expect(outcome).toBe(1);
    expect(stderr).toContain('It comes from ORGLOG_USERNAME and ORGLOG_PASSWORD');
    expect(stderr).not.toContain('wrong');
  });
});
