import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import * as z from 'zod';
import { bundleOptions } from '../functions/bundle.ts';
import { temporaryFolder } from '../test/local/temporary-folder.ts';
import { measureChild, type Server } from './children.ts';
import { type DeliverParameters, writeObject } from './deliver-load.ts';
import { median, megabytes, seconds, withSpread } from './figures.ts';
import type { Row } from './table.ts';
import type { Usage } from './usage.ts';

const WALL_AT_MOST = 1.5;
const PEAK_AT_MOST_BYTES = 200e6;

/** As the function is deployed: V8 grows its young generation up to 100 MB where nobody stops it, for nothing here. */
const NODE_OPTIONS = '--max-semi-space-size=4';

export interface DeliverScale {
  readonly objects: number;
  readonly eventsPerObject: number;
  readonly rounds: number;
}

export const DELIVER_FULL: DeliverScale = { objects: 20, eventsPerObject: 50_000, rounds: 3 };
export const DELIVER_SMOKE: DeliverScale = { objects: 2, eventsPerObject: 1_000, rounds: 1 };

interface Round {
  readonly delivery: Usage;
  /** Of the ready-made bodies, what is done in the measured time: see child-deliver-floor.ts. */
  readonly gunzip: Usage;
  readonly gzip: Usage;
  readonly post: Usage;
}

/**
 * Push delivery of many events to a sink that accepts at once, against a bare loop that posts the same ready-made
 * bodies. The floor that Splunk is held to unpacks the same objects and compresses the same bodies, as any delivery
 * from this archive must, and does nothing else: on two cores zlib alone takes longer both ways than one and a half
 * times as long as one way, so no delivery could stay below that against a loop that only compresses. Both that one
 * and the loop that only posts are stated. Elasticsearch, where each event is parsed and mapped, is stated per event.
 */
export async function deliver(scale: DeliverScale = DELIVER_FULL): Promise<Row[]> {
  await using folder = await temporaryFolder();
  await using sink = await startSink();
  await writeObject(folder.path, scale.eventsPerObject);
  const outfile = join(folder.path, 'deliver.mjs');
  const entry = fileURLToPath(import.meta.resolve('./child-deliver.ts'));
  await build({ ...bundleOptions, entryPoints: [entry], outfile });
  const bundle = pathToFileURL(outfile).href;

  const measure = async (kind: DeliverParameters['sink']): Promise<Round[]> => {
    const { objects, eventsPerObject: events } = scale;
    const parameters = { sink: kind, url: sink.url, objects, folder: folder.path, events };
    const rounds: Round[] = [];
    for (let round = 0; round < scale.rounds; round++) {
      const run = async (file: string, does?: string): Promise<Usage> => {
        const env = { ...process.env, NODE_OPTIONS };
        const usage = await measureChild(file, JSON.stringify({ ...parameters, does }), env);
        if (usage.pages === objects * events) return usage;
        throw new Error(`${usage.pages} events were sent: what took less time did less`);
      };
      rounds.push({
        delivery: await run(bundle),
        gunzip: await run('./child-deliver-floor.ts', 'gunzip'),
        gzip: await run('./child-deliver-floor.ts', 'gzip'),
        post: await run('./child-deliver-floor.ts', 'post'),
      });
    }
    return rounds;
  };
  const events = scale.objects * scale.eventsPerObject;
  return [
    ...rowsOf('splunk', events, await measure('splunk'), WALL_AT_MOST),
    ...rowsOf('elastic', events, await measure('elastic')),
  ];
}

function rowsOf(kind: string, events: number, rounds: readonly Round[], atMost?: number): Row[] {
  const of = (side: keyof Round, what: (usage: Usage) => number) => rounds.map((round) => what(round[side]));
  const against = (floor: 'gunzip' | 'gzip' | 'post', name: string, target?: number): Row => {
    const ratios = rounds.map((round) => round.delivery.wallMs / round[floor].wallMs);
    return {
      benchmark: `deliver ${kind}, wall, against ${name}`,
      measured: seconds(median(of('delivery', ({ wallMs }) => wallMs))),
      floor: seconds(median(of(floor, ({ wallMs }) => wallMs))),
      ratio: withSpread(ratios),
      target: target === undefined ? '-' : `≤ ${target}`,
      met: target === undefined || median(ratios) <= target,
    };
  };
  const cpuOf = (side: keyof Round) => (median(of(side, ({ cpuMs }) => cpuMs)) * 1000) / events;
  const peak = median(of('delivery', ({ peakRssBytes }) => peakRssBytes));
  return [
    against('gunzip', 'gunzip, gzip and post', atMost),
    against('gzip', 'gzip and post'),
    against('post', 'post alone'),
    {
      benchmark: `deliver ${kind}, CPU per event`,
      measured: `${cpuOf('delivery').toFixed(1)} µs`,
      floor: `${cpuOf('gzip').toFixed(1)} µs`,
      ratio: (cpuOf('delivery') / cpuOf('gzip')).toFixed(2),
      target: '-',
      met: true,
    },
    {
      benchmark: `deliver ${kind}, peak memory`,
      measured: megabytes(peak),
      floor: '-',
      ratio: '-',
      target: atMost === undefined ? '-' : `≤ ${megabytes(PEAK_AT_MOST_BYTES)}`,
      met: atMost === undefined || peak <= PEAK_AT_MOST_BYTES,
    },
  ];
}

/** The sink (bench/child-sink.ts), which serves until it is disposed of. */
async function startSink(): Promise<Server> {
  const path = fileURLToPath(import.meta.resolve('./child-sink.ts'));
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(line));
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}
