import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import type { Identity } from '../../functions/core/identities/identity.ts';
import { inHashOrder } from '../../functions/core/identities/partitions.ts';
import { fromToken } from '../../functions/core/identities/position.ts';
import { WalkKeys } from '../../functions/core/identities/walk-keys.ts';
import type { Archive, CursorRow } from '../../functions/core/ports.ts';
import { allAuthorities } from '../../local/provider/identities/authorities.ts';
import { comparable, replay } from '../core/identities/replay.ts';
import { readLines } from './lines-of.ts';
import { ORGANIZATION } from './world.ts';

export interface FeedAudit {
  readonly walks: number;
  /** What does not agree, in words; none where all is well. */
  readonly faults: readonly string[];
}

/** The feed replayed over its first snapshot is the last snapshot, and that is what the provider has. */
export async function auditFeed(
  archive: Pick<Archive, 'get'>,
  row: CursorRow,
  lines: readonly string[],
  provider: readonly Identity[],
): Promise<FeedAudit> {
  const position = fromToken(row.token);
  const walks = position.last?.walk ?? 0;
  if (position.phase !== 'idle' || walks === 0) {
    return { walks, faults: [`the walk stands at ${row.token}: it was to be over`] };
  }
  const events = lines.map((line) => JSON.parse(line) as FeedEvent);
  const first = await snapshotOf(archive, row, 1);
  const last = await snapshotOf(archive, row, walks);
  const faults: string[] = [];
  try {
    const replayed = replay(
      first,
      events.filter(({ walk }) => walk > 1),
    ).map(inScope);
    if (!isSame(replayed, last.map(inScope)))
      faults.push('the feed over the first snapshot is not the last one');
  } catch (error) {
    faults.push(`the feed cannot be replayed: ${error instanceof Error ? error.message : error}`);
  }
  if (!isSame(last.map(inScope), inHashOrder(provider).map(inScope))) {
    faults.push('the last snapshot is not what the provider has');
  }
  const told = events.filter(({ action, walk }) => walk === 1 && action === 'identity.snapshot').length;
  if (told !== first.length)
    faults.push(`the first walk told of ${told} identities, and found ${first.length}`);
  return { walks, faults };
}

async function snapshotOf(archive: Pick<Archive, 'get'>, row: CursorRow, walk: number): Promise<Identity[]> {
  const keys = new WalkKeys(row, walk);
  const identities: Identity[] = [];
  for (let partition = 0; ; partition++) {
    const lines = await readLines(archive, keys.snapshot(partition));
    if (lines === undefined) return identities;
    for (const line of lines) identities.push(JSON.parse(line) as Identity);
  }
}

function inScope(identity: Identity): string {
  return comparable(identity, allAuthorities(ORGANIZATION.orgUrl));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
