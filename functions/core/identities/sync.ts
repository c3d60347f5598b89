import { createHash } from 'node:crypto';
import { asOrglogError, OrglogError } from '../errors.ts';
import { dayOf } from '../keys.ts';
import type { CursorRow, RowKey } from '../ports.ts';
import { mintEpoch } from '../row.ts';
import type { RunContext } from '../run.ts';
import { BOUNDS, type Bounds } from './bounds.ts';
import type { SyncPorts, SyncReport, SyncSettings } from './ports.ts';
import { fromToken } from './position.ts';
import { isDue, SyncRun } from './sync-run.ts';
import { SyncTally } from './sync-tally.ts';
import { streamOf } from './walk-keys.ts';

/** A lease that ends later than this after now is none of ours: a clock ran wild. */
const LONGEST_LEASE_MS = 60 * 60_000;

/**
 * One run of the identity sync of one organization's environment: take the lease, announce what is owed, go on with the
 * walk under way or begin one that is due, release the lease. A walk reads all identities into a snapshot, compares it
 * with the last one and commits what happened as feed objects; it may take many runs (ARCHITECTURE.md, "Identity
 * records"). A run in which nothing is due costs one read of the row.
 *
 * The row says the same as a log's: `token` is the sync's position (position.ts), `sequence` counts feed objects,
 * `newestEventAt` is the newest time in them, `lastReadAt` when the provider last answered a page, and `caughtUp`
 * whether no walk is under way.
 *
 * Never rejects: trouble is in the report, after the lease was released as far as that was possible.
 *
 * @param bounds what a test of small populations needs smaller
 */
export async function syncIdentities(
  ports: SyncPorts,
  settings: SyncSettings,
  context: RunContext,
  bounds: Bounds = BOUNDS,
): Promise<SyncReport> {
  const startedAt = ports.clock.now();
  const tally = new SyncTally();
  /** The row as it was last seen: a report tells the snapshot's age however the run went. */
  let row: CursorRow | undefined;
  const ended = (outcome: SyncReport['outcome'], error?: OrglogError) =>
    tally.report(outcome, { row, error, startedAt, now: ports.clock.now() });

  const key = { org: settings.org, stream: streamOf(settings.environment) };
  const source = sourceFingerprint(settings);
  try {
    row = await ports.cursors.read(key, context.signal);
    if (row?.source === source && !row.paused && nothingToDo(row, ports, settings)) return ended('not-due');
    const acquired = await ports.cursors.acquire(
      {
        ...key,
        owner: context.owner,
        now: startedAt,
        expiresAt: startedAt + settings.leaseMs,
        latestPossibleExpiry: startedAt + LONGEST_LEASE_MS,
        create: { epoch: mintEpoch(ports.random()), source, day: dayOf(startedAt) },
      },
      context.signal,
    );
    if (acquired.kind === 'busy') return ended('busy');
    row = acquired.row;
    const moved = row.source !== source;
    if (moved && !isUnread(row)) throw sourceChanged(settings);
    if (row.paused) {
      await giveUpLease(ports, key, context);
      return ended('paused');
    }
    if (moved) row = await rebind(row, source, ports, context);
    const run = new SyncRun(row, ports, settings, context, bounds, tally);
    const { outcome, error } = await run.finish();
    row = run.row;
    return ended(outcome, error);
  } catch (error) {
    // The lease may be held all the same: a lost response. Left alone it would hold up the next run.
    await giveUpLease(ports, key, context).catch(() => {});
    return ended('failed', asOrglogError(error, 'storage'));
  }
}

/** Whether the row asks for nothing: no walk is due, and every destination has heard of every batch. */
function nothingToDo(row: CursorRow, ports: SyncPorts, settings: SyncSettings): boolean {
  const { phase, last } = fromToken(row.token);
  const announced = new Map(Object.entries(row.announced));
  return (
    phase === 'idle' &&
    row.caughtUp &&
    !isDue(last, settings, ports.clock.now()) &&
    [...ports.outboxes.keys()].every((id) => (announced.get(id) ?? row.sequence) >= row.sequence)
  );
}

/** Which records a row belongs to: base URL (with or without its last slash) and environment. */
function sourceFingerprint({ baseUrl, environment }: SyncSettings): string {
  const identity = JSON.stringify(['identities', baseUrl.replace(/\/+$/, ''), environment]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

/** No provider has answered yet: a row that a mistyped base URL made belongs to none. */
function isUnread({ token, lastReadAt }: CursorRow): boolean {
  return token === undefined && lastReadAt === undefined;
}

/** Makes it the row of another provider, with an epoch of its own: what a dead run left is never taken for its. */
async function rebind(
  row: CursorRow,
  source: string,
  ports: SyncPorts,
  context: RunContext,
): Promise<CursorRow> {
  const set = { source, epoch: mintEpoch(ports.random()) };
  const { org, stream } = row;
  const request = { org, stream, owner: context.owner, expectedSequence: 0, set, release: false };
  if ((await ports.cursors.write(request, context.signal)) === 'written') return { ...row, ...set };
  throw new OrglogError(
    'lease-lost',
    `another run took the lease of ${org} before this one had begun: it does the work`,
  );
}

async function giveUpLease(ports: SyncPorts, key: RowKey, context: RunContext): Promise<void> {
  await ports.cursors.write({ ...key, owner: context.owner, set: {}, release: true }, context.signal);
}

function sourceChanged({ org, environment, baseUrl }: SyncSettings): OrglogError {
  return new OrglogError(
    'source-changed',
    `the identity row of ${org}, ${environment}, belongs to another base URL than ${baseUrl}: its snapshots mean nothing there. Put the setting back, or use another org id (or data folder) for the other provider`,
  );
}
