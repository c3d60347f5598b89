import { fromMetadata } from '../batch-facts.ts';
import { foreignObject, OrglogError } from '../errors.ts';
import { PageFetcher, TokenRefused } from '../fetch-page.ts';
import { dayOf, objectKey } from '../keys.ts';
import type { Archive, Clock, CursorRow, Gap, LogSource, RowKey, RowPatch } from '../ports.ts';
import { MOST_LINES } from '../read-back.ts';
import { commitPatch, patched } from '../row.ts';
import { Tally } from '../tally.ts';
import { batchAt, batchesOf } from './batches.ts';
import { judgeClock, MOST_SKEW_MS, type ProviderProbe } from './check-provider.ts';
import { inWords } from './check-verdict.ts';
import { timesOf } from './event-times.ts';
import { neverRan } from './pause.ts';
import type { DeployedOrganization, OperatorCursors } from './ports.ts';
import { findTarget, type RewindTarget, type RewindTo } from './rewind-target.ts';

/**
 * What becomes of events that are archived already when they are read again. `fill` (the default): they are taken out,
 * to the byte and by count, and only what the archive lacks is added: for a gap, or a lost object. `repeat`: all of
 * them are archived and announced once more: for a SIEM that is to get them as new events. Whatever is archived gets
 * new identifiers either way; to send the same events again under the same ones, replay.
 */
export type RewindMode = 'fill' | 'repeat';

/** What a rewind would do. */
export interface RewindPlan {
  readonly org: string;
  readonly target: RewindTarget;
  readonly mode: RewindMode;
  /** Committed events behind the target, which will be read again: as far as metadata tells. */
  readonly events: number;
  readonly batches: number;
  /** `fill` only: more events than a run remembers, so that the oldest of them may be archived twice. */
  readonly mayRepeat: boolean;
}

/** Look up where to go back to, and what will be read again. Changes nothing. */
export async function planRewind(
  ports: { readonly cursors: Pick<OperatorCursors, 'read'>; readonly archive: Pick<Archive, 'head'> },
  request: { readonly org: string; readonly to: RewindTo; readonly mode: RewindMode; readonly now: number },
  signal: AbortSignal,
): Promise<RewindPlan> {
  const { org, to, mode, now } = request;
  const row = await rowOf(ports.cursors, org, signal);
  const target = await findTarget(row, to, ports.archive, now, signal);
  let [events, batches] = [0, 0];
  const range = { first: 1, last: row.sequence };
  for await (const { sequence, key, facts } of batchesOf(row, ports.archive, range, signal, 'newest-first')) {
    if (key === undefined || sequence < (target.sequence ?? 0)) break;
    if (facts === undefined) continue;
    if (facts.eventTime < target.at) break;
    const { last } = timesOf(facts);
    if (target.sequence === undefined ? last <= target.at : last < target.at) continue;
    events += facts.count;
    batches++;
  }
  return { org, target, mode, events, batches, mayRepeat: mode === 'fill' && events > MOST_LINES };
}

export interface RewindPorts {
  readonly cursors: OperatorCursors;
  readonly archive: Pick<Archive, 'head'>;
  readonly source: LogSource;
  /** The provider's time beside ours; `undefined` where it is this machine's. */
  readonly probe?: (signal: AbortSignal) => Promise<ProviderProbe | undefined>;
  readonly clock: Clock;
  /** Uniform in [0, 1): jitter. */
  readonly random: () => number;
}

/** What a rewind did. */
export interface RewindReport {
  /** The row as it was written. */
  readonly row: CursorRow;
  /** An object that a dead run had left uncommitted, which is committed now. */
  readonly adopted?: { readonly key: string; readonly events: number };
}

/** A lease of a run is longer; this one covers two reads and two writes. */
const LEASE_MS = 2 * 60_000;
/** As in collect.ts. */
const LONGEST_LEASE_MS = 60 * 60_000;
const PROBE_MS = 60_000;

/**
 * Set the cursor back, by one conditional write under the lease. The provider is asked first whether it takes the
 * token: one that it refuses would cost the place that the cursor has. An object that a dead run left under the next
 * key is committed by the same write, since the next run could not adopt it any more.
 *
 * @param owner unique: the lease's
 * @throws OrglogError `busy` while a run holds the lease, `configuration` where our clock is wrong, `stale-token` where the provider refuses the token,
 *   `object-conflict` where another object lies under the next key
 */
export async function rewind(
  ports: RewindPorts,
  organization: DeployedOrganization,
  plan: Pick<RewindPlan, 'target' | 'mode'>,
  owner: string,
  signal: AbortSignal,
): Promise<RewindReport> {
  const { token } = plan.target;
  await expectReadable(ports, organization, token, signal);
  await expectSameTime(ports, signal);
  const row = await takeLease(ports, organization.id, owner, signal);
  const key: RowKey = { org: row.org, stream: row.stream };
  try {
    const { patch: adoption, adopted } = await leftBehind(row, ports, signal);
    const rereads = plan.mode === 'fill';
    const set: RowPatch = {
      ...{ ...adoption, token, rereads, caughtUp: false, refusedToken: undefined },
      gaps: closed(adoption.gaps ?? row.gaps, plan.target.at),
    };
    const request = { ...key, owner, expectedSequence: row.sequence, set, release: true };
    const answer = await ports.cursors.write(request, signal).catch((error: unknown) => ({ error }));
    if (answer !== 'written') {
      const now = await ports.cursors.read(key, signal);
      const isWritten =
        now?.lease === undefined &&
        now?.token === token &&
        now.rereads === rereads &&
        now.sequence === (set.sequence ?? row.sequence);
      if (!isWritten) throw typeof answer === 'object' ? answer.error : leaseLost(row.org);
    }
    const { lease: _, ...released } = patched(row, set);
    return { row: released, ...(adopted && { adopted }) };
  } catch (error) {
    await ports.cursors.write({ ...key, owner, set: {}, release: true }, signal).catch(() => {});
    throw error;
  }
}

/** By a clock that is wrong, the lease of a run that is at work may seem to have ended. */
async function expectSameTime({ probe }: RewindPorts, signal: AbortSignal): Promise<void> {
  const answer = await probe?.(signal);
  const clock = answer && judgeClock(answer);
  if (clock?.verdict !== 'failed') return;
  throw new OrglogError(
    'configuration',
    `${inWords(clock)}. The cursor stays where it is: a run might be at work whose lease seems to have ended`,
  );
}

async function expectReadable(
  { source, clock, random }: RewindPorts,
  { id: org, baseUrl, orgUrl, filters }: DeployedOrganization,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const settings = { org, baseUrl, orgUrl, filters, limit: 1, maxAttempts: 3 };
  const readUntil = clock.now() + PROBE_MS;
  const observe = () => {};
  const fetcher = new PageFetcher({ source, clock, random, observe }, settings, { readUntil }, new Tally());
  try {
    await fetcher.fetch(token, signal);
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    throw new OrglogError(
      'stale-token',
      `the provider does not take the token to go back to: its log of ${org} no longer reaches there, so the cursor stays where it is. Go back to a later time, or ask the provider for the stretch`,
    );
  }
}

async function takeLease(
  { cursors, clock }: RewindPorts,
  org: string,
  owner: string,
  signal: AbortSignal,
): Promise<CursorRow> {
  const { stream, epoch, source } = await rowOf(cursors, org, signal);
  const now = clock.now();
  const acquired = await cursors.acquire(
    {
      ...{ org, stream, owner },
      // Ours may be ahead of the clock that the lease was made by, or behind it.
      now: now - MOST_SKEW_MS,
      expiresAt: now + LEASE_MS,
      latestPossibleExpiry: now + LONGEST_LEASE_MS + MOST_SKEW_MS,
      create: { epoch, source, day: dayOf(now) },
    },
    signal,
  );
  if (acquired.kind === 'held') return acquired.row;
  const { owner: holder, expiresAt } = acquired.lease;
  throw new OrglogError(
    'busy',
    `a run of ${org} is at work (${holder}, until ${new Date(expiresAt).toISOString()} at the latest): try again when it has ended; \`orglog pause --org ${org}\` keeps the next one away`,
  );
}

/** An object under the next key that goes on from the cursor, or from its last batch: a run put it and died. */
async function leftBehind(
  row: CursorRow,
  { archive, clock }: RewindPorts,
  signal: AbortSignal,
): Promise<{
  readonly patch: RowPatch;
  readonly adopted?: { readonly key: string; readonly events: number };
}> {
  const key = objectKey(row, row.sequence + 1);
  const head = key === undefined ? undefined : await archive.head(key, signal);
  if (key === undefined || head === undefined) return { patch: {} };
  const facts = fromMetadata(head.metadata);
  if (facts === undefined) throw foreignObject(key);
  // A run that stalled may have put it after an earlier rewind.
  const end = (await batchAt(row, archive, row.sequence, signal)).facts?.end;
  const goesOn = facts.start === row.token || (end !== undefined && facts.start === end);
  if (!goesOn) {
    throw new OrglogError(
      'object-conflict',
      `the archive holds an object at ${key} that goes on from neither the cursor's token nor its last batch: a restored table, or two systems on one archive. The cursor stays where it is; move the object away first`,
    );
  }
  const patch = commitPatch(row, facts, dayOf(clock.now()));
  return { patch, adopted: { key, events: facts.count } };
}

/** What is read again is missing no more: such a gap keeps its token, and has no length from now on. */
function closed(gaps: readonly Gap[], from: number): readonly Gap[] {
  return gaps.map((gap) => (gap.from >= from ? { ...gap, to: gap.from } : gap));
}

async function rowOf(
  cursors: Pick<OperatorCursors, 'read'>,
  org: string,
  signal: AbortSignal,
): Promise<CursorRow> {
  const key = { org, stream: 'logs' };
  const row = await cursors.read(key, signal);
  if (row === undefined) throw neverRan(key);
  return row;
}

function leaseLost(org: string): OrglogError {
  return new OrglogError(
    'lease-lost',
    `a run of ${org} took the lease before the cursor was set back: nothing was changed; try again`,
  );
}
