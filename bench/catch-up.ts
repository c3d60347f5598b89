import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createBucket, createCursorTable, createQueue } from '../test/aws/resources.ts';
import { type Services, startServices } from '../test/aws/services.ts';
import { temporaryFolder } from '../test/local/temporary-folder.ts';
import { measureChild } from './children.ts';
import { median, seconds, withSpread } from './figures.ts';
import type { Scale } from './scale.ts';
import type { Row } from './table.ts';
import type { Usage } from './usage.ts';

/** Wall time by the provider's latency in ms, and CPU time at any: of the embedded backend. */
const WALL_AT_MOST: Readonly<Record<number, number>> = { 0: 1.25, 50: 1.04 };
const CPU_AT_MOST = 1.3;

/** The log and the places of one catch-up benchmark. */
interface Bed {
  readonly baseUrl: string;
  readonly pages: number;
  readonly folder: string;
  readonly aws: Services;
  readonly awsPlaces: { readonly table: string; readonly bucket: string; readonly queueUrl: string };
}

/** The floor runs between the two others: what else the machine did then met all three. */
interface Round {
  readonly embedded: Usage;
  readonly floor: Usage;
  readonly aws: Usage;
}

/**
 * What collecting a backlog costs beside a bare loop that only reads and compresses it. The figures are medians of the
 * rounds' ratios, and their spread.
 */
export async function catchUp(providerUrl: string, scale: Scale['catchUp']): Promise<Row[]> {
  await using folder = await temporaryFolder();
  await using aws = await startServices();
  const awsPlaces = {
    table: await createCursorTable(aws),
    bucket: await createBucket(aws),
    queueUrl: (await createQueue(aws)).url,
  };
  const rows: Row[] = [];
  for (const { delayMs, rounds } of scale.rounds) {
    const baseUrl = `${providerUrl}/${scale.pages}/${delayMs}`;
    const bed = { baseUrl, pages: scale.pages, folder: folder.path, aws, awsPlaces };
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measureRound(bed, round));
    rows.push(...rowsOf(delayMs, measured));
  }
  return rows;
}

async function measureRound(bed: Bed, number: number): Promise<Round> {
  const [before, after] = number % 2 === 0 ? (['embedded', 'aws'] as const) : (['aws', 'embedded'] as const);
  const first = await measure[before](bed);
  const floor = checked(bed, await measureChild('./child-floor.ts', bed.baseUrl));
  const last = await measure[after](bed);
  return before === 'embedded'
    ? { embedded: first, floor, aws: last }
    : { aws: first, floor, embedded: last };
}

const measure = {
  async embedded(bed: Bed): Promise<Usage> {
    const folder = await mkdtemp(join(bed.folder, 'data-'));
    const parameters = { baseUrl: bed.baseUrl, org: 'institution', backend: { kind: 'embedded', folder } };
    return checked(bed, await measureChild('./child-collect.ts', JSON.stringify(parameters)));
  },
  async aws(bed: Bed): Promise<Usage> {
    const org = `institution-${randomUUID().slice(0, 8)}`;
    const parameters = { baseUrl: bed.baseUrl, org, backend: { kind: 'aws', ...bed.awsPlaces } };
    const env = { ...process.env, ...bed.aws.env };
    return checked(bed, await measureChild('./child-collect.ts', JSON.stringify(parameters), env));
  },
};

function checked({ pages }: Bed, usage: Usage): Usage {
  if (usage.pages === pages) return usage;
  throw new Error(`${usage.pages} pages were read, not ${pages}: what took less time did less`);
}

function rowsOf(delayMs: number, rounds: readonly Round[]): Row[] {
  const row = (side: 'embedded' | 'aws', what: 'wall' | 'CPU', atMost?: number): Row => {
    const timeOf = (usage: Usage): number => (what === 'wall' ? usage.wallMs : usage.cpuMs);
    const ratios = rounds.map((round) => timeOf(round[side]) / timeOf(round.floor));
    return {
      benchmark: `catch-up ${delayMs} ms ${side} ${what}`,
      measured: seconds(median(rounds.map((round) => timeOf(round[side])))),
      floor: seconds(median(rounds.map((round) => timeOf(round.floor)))),
      ratio: withSpread(ratios),
      target: atMost === undefined ? '-' : `≤ ${atMost}`,
      met: atMost === undefined || median(ratios) <= atMost,
    };
  };
  return [
    row('embedded', 'wall', WALL_AT_MOST[delayMs]),
    row('embedded', 'CPU', CPU_AT_MOST),
    // Stated without a target: the stand-ins for the services take their share of the same processors.
    row('aws', 'wall'),
    row('aws', 'CPU'),
  ];
}
