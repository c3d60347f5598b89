import { expect } from 'vitest';
import { DESTINATIONS, type World } from './world.ts';

/** After calm: what must be true whatever died when. `story` names the case in a failure. */
export function expectNothingLost(world: World, story: () => string): void {
  expectAllAnnounced(world, story);
  for (const destination of DESTINATIONS) expectRepeatsWereUncertain(world, destination, story);
}

/** Every event once in the archive, in order; each object put once, and announced everywhere with one message. */
export function expectAllAnnounced(world: World, story: () => string): void {
  same(world.committedLines(), world.provider.lines, 'committed', story);
  const committed = world.committedKeys().sort();
  const puts = world.trace.flatMap((entry) => (entry.kind === 'put' ? [entry.key] : []));
  if (new Set(puts).size !== puts.length) expect.fail(`${story()}: a key was written twice: ${puts}`);
  for (const destination of DESTINATIONS) {
    const heard = new Set(world.announced(destination));
    same([...heard].sort(), committed, `announced to ${destination}`, story);
  }
  if (world.row()?.gaps.length)
    expect.fail(`${story()}: a gap where none is: ${JSON.stringify(world.row()?.gaps)}`);
  const bodies = world.trace.flatMap((entry) => (entry.kind === 'sent' ? [entry.body] : []));
  if (new Set(bodies).size !== committed.length)
    expect.fail(`${story()}: a repeat differs: ${bodies.join(' ')}`);
}

/** No object lies in the archive that the row does not know. */
export function expectNoOrphan(world: World, story: () => string): void {
  same([...world.archive.objects.keys()].sort(), world.committedKeys().sort(), 'orphans', story);
}

/** Compares by hand first: a matcher's own work would be most of a simulation's time. */
function same(
  actual: readonly string[],
  expected: readonly string[],
  what: string,
  story: () => string,
): void {
  if (actual.length === expected.length && actual.every((text, i) => text === expected[i])) return;
  expect(actual, `${story()}: ${what}`).toStrictEqual(expected);
}

/** A repeat only where no write had recorded the first announcement. */
function expectRepeatsWereUncertain(world: World, destination: string, story: () => string): void {
  const sent = new Map<string, number>();
  const keys = world.committedKeys();
  world.trace.forEach((entry, index) => {
    if (entry.kind !== 'sent' || entry.destination !== destination) return;
    const before = sent.get(entry.key);
    if (before !== undefined) {
      const sequence = keys.indexOf(entry.key) + 1;
      const recorded = world.trace
        .slice(before, index)
        .some((other) => other.kind === 'recorded' && (other.announced[destination] ?? 0) >= sequence);
      if (recorded) expect.fail(`${story()}: ${entry.key} announced again to ${destination} though recorded`);
    }
    sent.set(entry.key, index);
  });
}
