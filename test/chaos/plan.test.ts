import { expect, test } from 'vitest';
import { described, planOf, type Targets } from './plan.ts';

const TARGETS: Targets = {
  kills: { collect: 5, provider: 10 },
  stalls: ['provider'],
  clocks: ['collect'],
  twins: ['collect'],
  aws: true,
};

test('the same seed gives the same plan, another one another', () => {
  const plan = planOf(7, 60_000, TARGETS).map(described);
  expect(planOf(7, 60_000, TARGETS).map(described)).toEqual(plan);
  expect(planOf(8, 60_000, TARGETS).map(described)).not.toEqual(plan);
});

test('every kind of trouble comes in a few minutes, in order and before the calm', () => {
  const plan = planOf(1, 300_000, TARGETS);
  const kinds = new Set(plan.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    'aws',
    'aws-latency',
    'clock',
    'kill',
    'provider',
    'queue-time',
    'sink',
    'stall',
    'twin',
  ]);
  expect(plan.map(({ atMs }) => atMs)).toEqual(plan.map(({ atMs }) => atMs).sort((a, b) => a - b));
  expect(plan.at(-1)?.atMs).toBeLessThan(300_000);
});

test('what is not there is not troubled', () => {
  const plan = planOf(1, 300_000, { kills: {}, stalls: [], clocks: [], twins: [], aws: false });
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['provider', 'sink']));
});
