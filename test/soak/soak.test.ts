import { expect, test } from 'vitest';
import { fleet } from './fleet.ts';
import { type FlowSample, MOST_GROWTH, memoryOf } from './flow.ts';
import { VirtualTime } from './virtual-time.ts';

const sample = (index: number, rss: number): FlowSample => ({
  ...{ atMs: index * 500, rss, heapUsed: 0, external: 0, collected: 0 },
  delivered: index * 1e5,
});

test('memory that grows with the events is told from memory that warms up', () => {
  const growing = Array.from({ length: 100 }, (_, index) => sample(index, 200e6 + index * 2e6));
  expect(memoryOf(growing).growth).toBeGreaterThan(MOST_GROWTH);
  expect(memoryOf(growing).slope).toBeCloseTo(20);
  const warming = Array.from({ length: 100 }, (_, index) => sample(index, index < 15 ? 100e6 : 250e6));
  expect(memoryOf(warming)).toMatchObject({ growth: 1, slope: 0, peak: 250e6 });
});

test('virtual time goes through moments in order, those of one moment as they were set', async () => {
  const time = new VirtualTime(1000);
  const heard: string[] = [];
  for (const [atMs, name] of [
    [1500, 'b'],
    [1200, 'a'],
    [1500, 'c'],
    [900, 'before'],
  ] as const) {
    time.at(atMs, () => heard.push(`${name} ${time.now()}`));
  }
  time.at(1400, () => void time.sleep(300).then(() => heard.push(`d ${time.now()}`)));
  await time.run();
  expect(heard).toEqual(['before 1000', 'a 1200', 'b 1500', 'c 1500', 'd 1700']);
});

test('a day of twenty organizations, some of them troubled, ends as the table of costs says', async () => {
  expect(await fleet(20, 1)).toEqual({ what: 'fleet', faults: [] });
});
