import { ecsDocument } from '../functions/core/ecs.ts';
import { generateTraffic } from '../local/provider/traffic.ts';
import { median, withSpread } from './figures.ts';
import type { Row } from './table.ts';

const EVENTS = 20_000;
const HOUR_MS = 3_600_000;

/**
 * What mapping one event to an ECS document costs, written out as JSON again, beside reading and writing it alone.
 *
 * @param rounds how many times over all events; the median of the rounds' ratios counts
 */
export function ecsMapping(rounds = 9): Row[] {
  const lines = someLines();
  const context = {
    org: 'institution',
    eventId: 'institution:logs:k3v9:1:1',
    collectedAt: Date.UTC(2026, 0, 2),
  };
  const map = (line: string): number => JSON.stringify(ecsDocument(line, context)).length;
  const bare = (line: string): number => JSON.stringify(JSON.parse(line)).length;
  const measured: { mapMs: number; bareMs: number }[] = [];
  for (let round = -1; round < rounds; round++) {
    const times = { bareMs: time(lines, bare), mapMs: time(lines, map) };
    // The first round compiles.
    if (round >= 0) measured.push(times);
  }
  return [
    {
      benchmark: 'ECS mapping of one event',
      measured: perEvent(median(measured.map(({ mapMs }) => mapMs))),
      floor: perEvent(median(measured.map(({ bareMs }) => bareMs))),
      ratio: withSpread(measured.map(({ mapMs, bareMs }) => mapMs / bareMs)),
      target: '-',
      met: true,
    },
  ];
}

function time(lines: readonly string[], work: (line: string) => number): number {
  const startedAt = performance.now();
  let bytes = 0;
  for (const line of lines) bytes += work(line);
  if (bytes < lines.length) throw new Error('nothing was written');
  return performance.now() - startedAt;
}

function perEvent(ms: number): string {
  return `${((ms * 1000) / EVENTS).toFixed(1)} µs`;
}

function someLines(): string[] {
  const traffic = generateTraffic({
    seed: 4,
    orgUrl: 'https://institution.edu/',
    orgDomain: 'institution.edu',
    fromMs: Date.UTC(2026, 0, 2),
    toMs: Date.UTC(2026, 0, 2) + 24 * HOUR_MS,
    count: EVENTS,
  });
  return [...traffic].map((event) => JSON.stringify(event));
}
