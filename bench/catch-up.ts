import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createBucket, createCursorTable, createQueue } from '../test/aws/resources.ts';
import { startServices } from '../test/aws/services.ts';
import { temporaryFolder } from '../test/local/temporary-folder.ts';
import type { Backend } from './backend.ts';
import { measureChild } from './children.ts';
import { median, seconds, withSpread } from './figures.ts';
import type { Scale } from './scale.ts';
import type { Row } from './table.ts';
import type { Usage } from './usage.ts';

/** Bounds by latency of the provider, in ms, and by what is measured. */
const WALL_AT_MOST: Readonly<Record<number, number>> = { 0: 1.25, 50: 1.04 };
const CPU_AT_MOST = 1.3;

interface Side {
  readonly name: 'embedded' | 'aws';
  measure(baseUrl: string): Promise<Usage>;
}

/** A floor and the collector right after or before it: what else the machine did then met both. */
type Pair = Readonly<{ collector: Usage; floor: Usage }>;

/**
 * What collecting a backlog costs beside a bare loop that only reads and compresses it. The figures are the medians of
 * the ratios of neighbours, and their spread.
 */
export async function catchUp(providerUrl: string, scale: Scale['catchUp']): Promise<Row[]> {
  await using folder = await temporaryFolder();
  await using aws = await startServices();
  const place = { table: await createCursorTable(aws), bucket: await createBucket(aws) };
  const queueUrl = (await createQueue(aws)).url;
  let runs = 0;
  const collectWith = (backend: Backend, baseUrl: string, env?: NodeJS.ProcessEnv): Promise<Usage> =>
    measureChild('./child-collect.ts', JSON.stringify({ baseUrl, backend, org: `bench-${++runs}` }), env);
  const sides: readonly Side[] = [
    {
      name: 'embedded',
      async measure(baseUrl) {
        const own = join(folder.path, String(runs));
        await mkdir(own);
        return collectWith({ kind: 'embedded', folder: own }, baseUrl);
      },
    },
    {
      name: 'aws',
      measure: (baseUrl) =>
        collectWith({ kind: 'aws', queueUrl, ...place }, baseUrl, { ...process.env, ...aws.env }),
    },
  ];

  const rows: Row[] = [];
  for (const { delayMs, rounds } of scale.rounds) {
    const baseUrl = `${providerUrl}/${scale.pages}/${delayMs}`;
    const pairs = new Map<Side, Pair[]>(sides.map((side) => [side, []]));
    for (let round = 0; round < rounds; round++) {
      for (const side of sides) {
        const pair = await measurePair(side, baseUrl, round % 2 === 0);
        for (const { pages } of Object.values(pair))
          if (pages !== scale.pages)
            throw new Error(`${pages} of ${scale.pages} pages were read (${side.name})`);
        pairs.get(side)?.push(pair);
      }
    }
    for (const [side, measured] of pairs) rows.push(...rowsOf(side, delayMs, measured));
  }
  return rows;
}

async function measurePair(side: Side, baseUrl: string, floorFirst: boolean): Promise<Pair> {
  const measureFloor = () => measureChild('./child-floor.ts', baseUrl);
  const before = floorFirst ? await measureFloor() : undefined;
  const collector = await side.measure(baseUrl);
  return { collector, floor: before ?? (await measureFloor()) };
}

function rowsOf({ name }: Side, delayMs: number, pairs: readonly Pair[]): Row[] {
  const row = (what: string, of: (usage: Usage) => number, atMost: number | undefined): Row => {
    const ratios = pairs.map(({ collector, floor }) => of(collector) / of(floor));
    return {
      benchmark: `catch-up, ${delayMs} ms, ${name}, ${what}`,
      measured: seconds(median(pairs.map(({ collector }) => of(collector)))),
      floor: seconds(median(pairs.map(({ floor }) => of(floor)))),
      ratio: withSpread(ratios),
      target: atMost === undefined ? '-' : `≤ ${atMost}`,
      met: atMost === undefined || median(ratios) <= atMost,
    };
  };
  return [
    row('wall', (usage) => usage.wallMs, WALL_AT_MOST[delayMs]),
    row('CPU', (usage) => usage.cpuMs, CPU_AT_MOST),
  ];
}
