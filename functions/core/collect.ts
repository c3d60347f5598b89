import { CollectRun } from './collect-run.ts';
import { asOrglogError, OrglogError } from './errors.ts';
import { dayOf } from './keys.ts';
import type { CursorRow } from './ports.ts';
import { mintEpoch, sourceFingerprint } from './row.ts';
import type { RunContext, RunPorts, RunReport, RunSettings } from './run.ts';
import { Tally } from './tally.ts';

/** A lease that ends later than this after now is none of ours: a clock ran wild. */
const LONGEST_LEASE_MS = 60 * 60_000;

/**
 * One run of the collector for one organization's log: take the lease, announce what is owed, read pages into batches,
 * put, commit and announce each, release the lease. Whatever dies when, the next run goes on where the row says, and
 * no event that the provider's paging serves is lost (ARCHITECTURE.md, "The protocol").
 *
 * Never rejects: trouble is in the report, after the lease was released as far as that was possible.
 */
export async function collect(
  ports: RunPorts,
  settings: RunSettings,
  context: RunContext,
): Promise<RunReport> {
  const startedAt = ports.clock.now();
  const tally = new Tally();
  const ended = (outcome: RunReport['outcome'], error?: OrglogError, run?: CollectRun) =>
    tally.report(outcome, { row: run?.row, error, startedAt, now: ports.clock.now() });

  const key = { org: settings.org, stream: 'logs' };
  const source = sourceFingerprint(settings);
  try {
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
    const moved = acquired.row.source !== source;
    if (moved && !isUnread(acquired.row)) throw sourceChanged(settings);
    if (acquired.row.paused) {
      await giveUpLease(ports, settings, context);
      return ended('paused');
    }
    const row = moved ? await rebind(acquired.row, source, ports, context) : acquired.row;
    const run = new CollectRun(row, ports, settings, context, tally);
    const { outcome, error } = await run.finish();
    return ended(outcome, error, run);
  } catch (error) {
    // The lease may be held all the same: a lost response. Left alone it would hold up the next run.
    await giveUpLease(ports, settings, context).catch(() => {});
    return ended('failed', asOrglogError(error, 'storage'));
  }
}

/** No log has answered yet: a row that a mistyped orgUrl made belongs to none. */
function isUnread({ sequence, token, lastReadAt }: CursorRow): boolean {
  return sequence === 0 && token === undefined && lastReadAt === undefined;
}

/** Makes it the row of another log, with an epoch of its own: a put that a dead run left is never taken for its. */
async function rebind(
  row: CursorRow,
  source: string,
  ports: RunPorts,
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

async function giveUpLease(ports: RunPorts, settings: RunSettings, context: RunContext): Promise<void> {
  const bare = { org: settings.org, stream: 'logs', owner: context.owner, set: {}, release: true };
  await ports.cursors.write(bare, context.signal);
}

function sourceChanged(settings: RunSettings): OrglogError {
  return new OrglogError(
    'source-changed',
    `the cursor of ${settings.org} belongs to another base URL, orgUrl or filters than ${settings.baseUrl}, ${settings.orgUrl}, ${JSON.stringify(settings.filters)}: its tokens mean nothing there. Put the settings back, or use another org id (or data folder) for the other log`,
  );
}
