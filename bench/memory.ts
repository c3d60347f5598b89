import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../test/local/temporary-folder.ts';
import { measureChild } from './children.ts';
import { median, megabytes } from './figures.ts';
import type { Scale } from './scale.ts';
import type { Row } from './table.ts';

const GROWTH_AT_MOST = 1.15;
const ABOVE_IDLE_AT_MOST_BYTES = 160e6;

/** Peak memory of collecting: it must not grow with the backlog, and stay small beside a process that does nothing. */
export async function memory(providerUrl: string, scale: Scale['memory']): Promise<Row[]> {
  await using folder = await temporaryFolder();
  const peaks = { idle: [] as number[], few: [] as number[], many: [] as number[] };
  const peakOf = async (pages: number): Promise<number> => {
    const own = await mkdtemp(join(folder.path, 'data-'));
    const parameters = {
      ...(pages > 0 && { baseUrl: `${providerUrl}/${pages}/0` }),
      org: 'institution',
      backend: { kind: 'embedded', folder: own },
    };
    return (await measureChild('./child-collect.ts', JSON.stringify(parameters))).peakRssBytes;
  };
  for (let round = 0; round < scale.rounds; round++) {
    peaks.idle.push(await peakOf(0));
    peaks.few.push(await peakOf(scale.fewPages));
    peaks.many.push(await peakOf(scale.manyPages));
  }
  const [idle, few, many] = [median(peaks.idle), median(peaks.few), median(peaks.many)];
  const aboveIdle = many - idle;
  return [
    {
      benchmark: `memory ${events(scale.manyPages)} events`,
      measured: megabytes(many),
      floor: `${megabytes(few)} (${events(scale.fewPages)})`,
      ratio: (many / few).toFixed(2),
      target: `≤ ${GROWTH_AT_MOST}`,
      met: many / few <= GROWTH_AT_MOST,
    },
    {
      benchmark: `memory ${events(scale.manyPages)} events above idle`,
      measured: megabytes(many),
      floor: `${megabytes(idle)} (idle)`,
      ratio: `+${megabytes(aboveIdle)}`,
      target: `≤ +${megabytes(ABOVE_IDLE_AT_MOST_BYTES)}`,
      met: aboveIdle <= ABOVE_IDLE_AT_MOST_BYTES,
    },
  ];
}

function events(pages: number): string {
  return (pages * 1000).toLocaleString('en-US');
}
