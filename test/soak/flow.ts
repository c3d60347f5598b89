import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProvider } from '../../bench/children.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { printRows, type Verdict } from './report.ts';

export interface FlowParameters {
  readonly providerUrl: string;
  readonly sinkUrl: string;
  readonly folder: string;
}

/** How the process stands at a moment, `atMs` after its start; bytes. */
export interface FlowSample {
  readonly atMs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly collected: number;
  readonly delivered: number;
}

export interface FlowTotals {
  collected: number;
  batches: number;
  runs: number;
  delivered: number;
  failures: number;
}

const EVENTS_PER_PAGE = 1000;
const DISTINCT_PAGES = 50;
/** How much more memory the last fifth may take than the second: what grows with the events would take far more. */
export const MOST_GROWTH = 1.25;
const ROWS = 16;
const MB = 1e6;

/** So many events through collecting and pushing in one process, whose memory is to stay as it is. */
export async function flow(events: number): Promise<Verdict> {
  await using folder = await temporaryFolder();
  await using provider = await startProvider(DISTINCT_PAGES);
  await using sink = await startSink();
  const pages = Math.ceil(events / EVENTS_PER_PAGE);
  const parameters = { providerUrl: `${provider.url}/${pages}/0`, sinkUrl: sink.url, folder: folder.path };
  const startedAt = performance.now();
  const { samples, totals } = await run(parameters);
  const seconds = (performance.now() - startedAt) / 1000;
  const faults: string[] = [];
  const expected = pages * EVENTS_PER_PAGE;
  if (totals.collected !== expected) faults.push(`collected ${totals.collected} of ${expected}`);
  if (totals.delivered !== expected) faults.push(`delivered ${totals.delivered} of ${expected}`);
  const memory = memoryOf(samples);
  if (!(memory.growth <= MOST_GROWTH)) {
    faults.push(`memory grew ${memory.growth.toFixed(2)} times: at most ${MOST_GROWTH} is flat`);
  }
  print(samples);
  const rate = Math.round(expected / seconds);
  console.log(
    `${expected} events collected in ${totals.runs} runs and ${totals.batches} batches, ${totals.delivered} delivered, ` +
      `${totals.failures} deliveries put off; ${Math.round(seconds)} s, ${rate} events/s\n` +
      `RSS: median ${mb(memory.early)} MB early, ${mb(memory.late)} MB late: ${memory.growth.toFixed(2)} times ` +
      `(at most ${MOST_GROWTH}), peak ${mb(memory.peak)} MB, slope ${memory.slope.toFixed(2)} MB for each million events`,
  );
  return { what: 'flow', faults };
}

async function run(parameters: FlowParameters): Promise<{ samples: FlowSample[]; totals: FlowTotals }> {
  const file = fileURLToPath(import.meta.resolve('./flow-child.ts'));
  const flags = ['--disable-warning=ExperimentalWarning', file, JSON.stringify(parameters)];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines: (FlowSample | FlowTotals)[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line));
  const [code] = await exited;
  const totals = lines.pop();
  if (code !== 0 || totals === undefined || !('batches' in totals)) {
    throw new Error(`the process of the flow ended with ${code}`);
  }
  return { samples: lines.filter((line) => 'rss' in line), totals };
}

interface Memory {
  readonly early: number;
  readonly late: number;
  readonly growth: number;
  readonly peak: number;
  /** MB for each million events delivered, by least squares, the first fifth left out. */
  readonly slope: number;
}

/** The first fifth is warming up: its medians are the second's and the last's. */
export function memoryOf(samples: readonly FlowSample[]): Memory {
  const fifth = Math.floor(samples.length / 5);
  const early = median(samples.slice(fifth, 2 * fifth).map(({ rss }) => rss));
  const late = median(samples.slice(-Math.max(1, fifth)).map(({ rss }) => rss));
  const warm = samples.slice(fifth).map(({ rss, delivered }) => [delivered / 1e6, rss / MB] as const);
  const mean = (at: 0 | 1) => warm.reduce((sum, point) => sum + point[at], 0) / warm.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = warm.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const variance = warm.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  const peak = samples.reduce((most, { rss }) => Math.max(most, rss), 0);
  return { early, late, growth: late / early, peak, slope: covariance / variance };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function print(samples: readonly FlowSample[]): void {
  const step = Math.max(1, Math.floor(samples.length / ROWS));
  printRows(
    ['time s', 'collected', 'delivered', 'RSS MB', 'heap MB', 'external MB'],
    samples
      .filter((_, index) => index % step === step - 1)
      .map(({ atMs, collected, delivered, rss, heapUsed, external }) => [
        Math.round(atMs / 1000),
        ...[collected, delivered],
        ...[rss, heapUsed, external].map(mb),
      ]),
  );
}

function mb(bytes: number): number {
  return Math.round(bytes / MB);
}

async function startSink(): Promise<{ readonly url: string } & AsyncDisposable> {
  const file = fileURLToPath(import.meta.resolve('../../bench/child-sink.ts'));
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url: JSON.parse(line).url,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
