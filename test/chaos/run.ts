/**
 * `npm run chaos -- --minutes 5 --seed 1`: the real system over real protocols while everything around it misbehaves and
 * parts of it are killed; then calm; then the audit. Ends with 1 on any loss, and on any repeat that nothing explains.
 *
 *     --backend embedded   one of the two only: embedded (`orglog local`), aws (the handlers before stand-ins of AWS)
 *     --events 80          a second, in each backend
 *     --schedule           prints what will happen when, and does not do it
 *     --keep               leaves the folder with everything in it behind, as a failed run does
 *
 * All that is random is drawn from the seed: with the same one, the same happens at the same moments. What processes
 * make of it depends on the machine.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mixSeeds } from '../../local/provider/random.ts';
import { audit, type Finding } from './audit.ts';
import { awsWorld } from './aws-world.ts';
import { embeddedWorld } from './embedded-world.ts';
import { described, type Incident, planOf } from './plan.ts';
import { printFindings } from './report.ts';
import type { World, WorldOptions } from './world.ts';

const BACKENDS: Readonly<Record<string, (options: WorldOptions) => Promise<World>>> = {
  embedded: embeddedWorld,
  aws: awsWorld,
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    events: { type: 'string', default: '80' },
    backend: { type: 'string', multiple: true, default: Object.keys(BACKENDS) },
    schedule: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const durationMs = Number(values.minutes) * 60_000;
const seed = Number(values.seed);
if (!(durationMs > 0) || !Number.isSafeInteger(seed)) {
  console.error('expected --minutes above 0 and a whole number as --seed');
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'orglog-chaos-'));
const ends = await Promise.allSettled(values.backend.map(runIn));
const failed = ends.some((end) => end.status === 'rejected' || !end.value);
for (const end of ends) if (end.status === 'rejected') console.error(end.reason);
console.log(`\nagain: npm run chaos -- --minutes ${values.minutes} --seed ${seed}`);
if (failed || values.keep) console.log(`everything lies in ${folder}`);
else await rm(folder, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

/** @returns whether nothing was lost */
async function runIn(backend: string, index: number): Promise<boolean> {
  const open = BACKENDS[backend];
  if (open === undefined)
    throw new Error(`no such backend: ${backend}; there is ${Object.keys(BACKENDS).join(', ')}`);
  const own = join(folder, backend);
  await mkdir(own);
  const startedAt = Date.now();
  await using world = await open({
    folder: own,
    seed: mixSeeds(seed, index),
    eventsPerSecond: Number(values.events),
  });
  const plan = planOf(mixSeeds(seed, index, 1), durationMs, world.targets);
  console.log(`\n${backend}: ${plan.length} incidents\n${plan.map(described).join('\n')}`);
  if (values.schedule) return true;
  await carryOut(plan, world);
  const calmAt = Date.now();
  await world.calm();
  const findings: Finding[] = await audit(await world.evidence());
  const seconds = (ms: number) => Math.round(ms / 1000);
  printFindings(
    `${backend}, seed ${seed}: ${seconds(calmAt - startedAt)} s of trouble, ${seconds(Date.now() - calmAt)} s until calm and audited`,
    plan,
    findings,
  );
  return findings.every(({ isSound }) => isSound);
}

/** Each at its time; those that last do not hold up the others. */
async function carryOut(plan: readonly Incident[], world: World): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (const incident of plan) {
    await sleep(Math.max(0, startedAt + incident.atMs - performance.now()));
    underWay.push(world.befall(incident));
  }
  await sleep(Math.max(0, startedAt + durationMs - performance.now()));
  await Promise.all(underWay);
}
