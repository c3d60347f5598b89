import { expect } from 'vitest';
import type { FeedEvent } from '../../../functions/core/identities/feed.ts';
import { inHashOrder } from '../../../functions/core/identities/partitions.ts';
import { restricted } from './replay.ts';
import { DESTINATIONS, type SyncWorld } from './sync-world.ts';

/** After calm: what must be true whatever died when. `story` names the case in a failure. */
export function expectWhole(world: SyncWorld, story: () => string): void {
  const row = world.row();
  if (row?.lease) expect.fail(`${story()}: the lease was not released`);
  if (row?.gaps.length) expect.fail(`${story()}: a gap where none is: ${JSON.stringify(row.gaps)}`);
  if (!row?.caughtUp) expect.fail(`${story()}: idle, but not caught up`);
  const committed = world.feedKeys();
  const put = [...world.archive.objects.keys()].filter((key) => key.startsWith('identities/'));
  same(put.sort(), [...committed].sort(), 'orphans', story);
  for (const destination of DESTINATIONS) {
    const heard = [...new Set(world.sent.get(destination))];
    same(heard.sort(), [...committed].sort(), `announced to ${destination}`, story);
  }
}

/** The last snapshot holds what the directory holds, in scope, each identity once and in order. */
export function expectSnapshotOfDirectory(world: SyncWorld, story: () => string): void {
  const { last } = world.position();
  const snapshot = world.snapshot(last?.walk ?? 0);
  const scope = world.settings.authorities ?? world.directory.permitted;
  const expected = inHashOrder(world.directory.inOrder).map((identity) => restricted(identity, scope));
  same(
    snapshot.map((identity) => JSON.stringify(restricted(identity, scope))),
    expected.map((identity) => JSON.stringify(identity)),
    'snapshot',
    story,
  );
}

/** Lines without what depends on when a run happened to begin its walk. */
export function undated(events: readonly FeedEvent[]): string[] {
  return events.map(({ walkStartedAt, timeStampISO, ...event }) =>
    JSON.stringify({ ...event, timeStampISO: timeStampISO === walkStartedAt ? 'walk' : timeStampISO }),
  );
}

/** Compares by hand first: a matcher's own work would be most of a simulation's time. */
export function same(
  actual: readonly string[],
  expected: readonly string[],
  what: string,
  story: () => string,
): void {
  if (actual.length === expected.length && actual.every((text, i) => text === expected[i])) return;
  expect(actual, `${story()}: ${what}`).toStrictEqual(expected);
}
