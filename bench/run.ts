/**
 * `npm run bench`: each figure as a ratio against a named floor, measured in this one run and only printed. Ends with 1
 * when a target is missed.
 *
 *     npm run bench -- --only catch-up     one benchmark: catch-up, memory, idle, start-up, ecs, deliver, identities
 *     npm run bench -- --smoke             small numbers: proves that all of it runs, whatever the figures
 */
import { parseArgs } from 'node:util';
import { catchUp } from './catch-up.ts';
import { startProvider } from './children.ts';
import { DELIVER_FULL, DELIVER_SMOKE, deliver } from './deliver.ts';
import { ecsMapping } from './ecs.ts';
import { IDENTITIES_FULL, IDENTITIES_SMOKE, identities } from './identities.ts';
import { idleRun } from './idle-run.ts';
import { memory } from './memory.ts';
import { FULL, SMOKE } from './scale.ts';
import { startUp } from './start-up.ts';
import { printTable, type Row } from './table.ts';

const { values } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, only: { type: 'string', multiple: true } },
});
const scale = values.smoke ? SMOKE : FULL;

/** The provider runs only while it is asked: its memory and its garbage are nobody else's. */
async function withProvider(work: (url: string) => Promise<Row[]>): Promise<Row[]> {
  await using provider = await startProvider(scale.distinctPages);
  return await work(provider.url);
}

const BENCHMARKS: Readonly<Record<string, () => Promise<Row[]>>> = {
  'catch-up': () => withProvider((url) => catchUp(url, scale.catchUp)),
  memory: () => withProvider((url) => memory(url, scale.memory)),
  idle: idleRun,
  'start-up': () => startUp(scale.startUpRounds),
  ecs: async () => ecsMapping(scale.ecsRounds),
  deliver: () => deliver(values.smoke ? DELIVER_SMOKE : DELIVER_FULL),
  identities: () => identities(values.smoke ? IDENTITIES_SMOKE : IDENTITIES_FULL),
};

const chosen = values.only ?? Object.keys(BENCHMARKS);
const unknown = chosen.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(
    `no such benchmark: ${unknown.join(', ')}. Choose from ${Object.keys(BENCHMARKS).join(', ')}`,
  );
  process.exit(2);
}
const rows: Row[] = [];
for (const name of chosen) rows.push(...((await BENCHMARKS[name]?.()) ?? []));
printTable(rows);
if (values.smoke) console.log('A smoke run: all of it ran; the figures mean nothing.');
else if (rows.some((row) => !row.met)) process.exitCode = 1;
