import { afterAll, beforeAll, describe } from 'vitest';
import { type LocalBed, localBed } from './local-bed.ts';
import { operateSuite } from './suite.ts';

describe('the operator’s commands on a data folder', () => {
  let bed: LocalBed;
  beforeAll(async () => {
    bed = await localBed();
  });
  afterAll(() => bed[Symbol.asyncDispose]());
  operateSuite(() => bed);
});
