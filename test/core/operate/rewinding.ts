import { planRewind, type RewindMode, rewind } from '../../../functions/core/operate/rewind.ts';
import type { RewindTo } from '../../../functions/core/operate/rewind-target.ts';
import { verify } from '../../../functions/core/operate/verify.ts';
import { never } from '../../contracts/support.ts';
import { Fuse } from '../simulation/fuse.ts';
import { status } from '../simulation/virtual-provider.ts';
import { MINUTE } from '../simulation/world.ts';
import { OperatedWorld } from './operated-world.ts';

const UNKNOWN = status(422, { namesToken: true });

/** Plans and makes a rewind, as the command does. */
export async function goBack(
  world: OperatedWorld,
  to: RewindTo,
  mode: RewindMode = 'fill',
  fuse = new Fuse(),
) {
  const { now } = world;
  const plan = await planRewind(world.reading, { org: 'institution', to, mode, now }, never);
  const { cursors, archive, source, clock, random } = world.reading;
  const ports = {
    cursors: fuse.guard(cursors),
    archive: fuse.guard(archive),
    source: fuse.guard(source),
    clock,
    random,
  };
  return { plan, report: await rewind(ports, world.organization, plan, 'operator', never) };
}

/** Runs until the log's end is reached. */
export async function catchUp(world: OperatedWorld): Promise<void> {
  for (let run = 0; run < 30; run++) {
    const { outcome, error } = await world.run();
    if (error) throw error;
    if (outcome === 'caught-up') return;
  }
  throw new Error('the end was not reached');
}

/** What the audit says of all of it. */
export async function verdictOf(world: OperatedWorld): Promise<{ verdict: string; kinds: string[] }> {
  const kinds: string[] = [];
  let verdict = '';
  const window = { from: '2025-12-01', to: '2026-06-01' };
  for await (const step of verify(world.system, world.cursor, window, never)) {
    if (step.kind === 'finding') kinds.push(`${step.finding.kind} ${step.finding.severity}`);
    if (step.kind === 'summary') verdict = step.summary.verdict;
  }
  return { verdict, kinds };
}

export const sorted = (lines: readonly string[]) => [...lines].sort();

/** Five batches of up to 3 events, t12 the token. */
export async function collected(): Promise<OperatedWorld> {
  const world = new OperatedWorld({ backlog: 7 });
  await world.run();
  await world.collectAll([2, 3]);
  return world;
}

/** As `collected`; then the provider forgot the token for a while, and events in a gap were not read. */
export async function withGap(missed = 2): Promise<OperatedWorld> {
  const world = await collected();
  world.now += 180 * MINUTE;
  world.provider.append(missed, 120 * MINUTE);
  world.provider.append(2);
  world.provider.script = ({ token }) => (token === 't12' ? UNKNOWN : undefined);
  const { gaps } = await world.run();
  if (gaps !== 1) throw new Error('there is no gap');
  world.provider.script = () => undefined;
  world.provider.append(1);
  await world.run();
  return world;
}
