import { asOrglogError } from '../errors.ts';
import { dayOf } from '../keys.ts';
import type { CursorRow, Gap } from '../ports.ts';
import { CALLS_AT_ONCE, mapAhead } from './ahead.ts';
import { batchesOf, sequencesOfDays } from './batches.ts';
import { eventsWithin } from './event-times.ts';
import { type Health, healthOfDestination, healthOfStream } from './health.ts';
import type { DeployedDestination, DeployedOrganization, Deployment, QueueStanding } from './ports.ts';
import { rejectedPrefix } from './rejected.ts';
import { tokenTime } from './token-time.ts';

/** What was counted; `atLeast` where counting ended early. */
export interface Count {
  readonly count: number;
  readonly atLeast: boolean;
}

/** A gap as it may be shown: without its token. */
export interface ShownGap extends Pick<Gap, 'from' | 'to' | 'reason'> {
  /** Whether a token is kept of its start, so that `rewind` can go back to it. */
  readonly canRewind: boolean;
  /** Of a missing object: its key. */
  readonly key?: string;
  /** Of a missing object: whether it was brought back. */
  readonly restored?: boolean;
}

/** One cursor: an organization's log, or its identity records in one environment. */
export interface StreamStatus {
  readonly org: string;
  /** `logs`, `identities.test` or `identities.prod`. */
  readonly stream: string;
  readonly health: Health;
  /** Absent before the first run. */
  readonly row?: {
    readonly sequence: number;
    readonly paused: boolean;
    readonly caughtUp: boolean;
    /** Epoch ms of the provider's last answer; absent before the first. */
    readonly lastReadAt?: number;
    /** Epoch ms of the newest event that is committed. */
    readonly newestEventAt?: number;
    /** When the token was issued, where it tells: a hint. */
    readonly tokenAt?: number;
    /** Whether the provider refused the token once, by a status that proves nothing yet. */
    readonly tokenDoubted: boolean;
    /** Destination → batches committed and not yet queued to it. */
    readonly owed: Readonly<Record<string, number>>;
    readonly lease?: { readonly owner: string; readonly expiresAt: number; readonly expired: boolean };
    readonly gaps: readonly ShownGap[];
    /** Events that happened in the last hour and day and are committed: a batch's share of its time (event-times.ts). */
    readonly lastHour: Count;
    readonly lastDay: Count;
  };
}

export interface DestinationStatus {
  readonly destination: DeployedDestination;
  readonly health: Health;
  /** Absent where it could not be looked at: `health` says why. */
  readonly queue?: QueueStanding;
  /** Refused for good and not taken since, of those looked at. Absent together with `queue`. */
  readonly rejected?: Count;
}

export interface SystemStatus {
  /** Epoch ms. */
  readonly at: number;
  readonly streams: readonly StreamStatus[];
  readonly destinations: readonly DestinationStatus[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Batches looked at per cursor: a day of a run every 5 minutes is 288; a backlog that is read makes many more. */
const BATCHES_AT_MOST = 1_000;
/** In all, shared evenly: a thousand cursors take a quarter of a minute rather than many. */
const BATCHES_IN_ALL = 20_000;
/** But as many of each as an hour of a run every 5 minutes takes, twice over. */
const BATCHES_AT_LEAST = 24;
/** Cursors looked at at once, each by several calls: more would only wait for the SDK's 50 connections. */
const CURSORS_AT_ONCE = 4;
/** Refused events looked at per destination. */
const REJECTED_AT_MOST = 200;

type StatusPorts = Pick<
  Deployment,
  'organizations' | 'destinations' | 'cursors' | 'archive' | 'ledger' | 'queue'
>;

/** How the system stands at `now` (epoch ms); of one organization only where wished. Changes nothing. */
export async function systemStatus(
  ports: StatusPorts,
  { now, org }: { readonly now: number; readonly org?: string },
  signal: AbortSignal,
): Promise<SystemStatus> {
  const rows = await ports.cursors.list(signal);
  const organizations = ports.organizations.filter(({ id }) => org === undefined || id === org);
  const streams = organizations.flatMap((organization) =>
    streamsOf(organization).map((stream) => ({
      organization,
      stream,
      row: rows.find((row) => row.org === organization.id && row.stream === stream),
    })),
  );
  const share = Math.floor(BATCHES_IN_ALL / Math.max(1, streams.length));
  const most = Math.min(BATCHES_AT_MOST, Math.max(BATCHES_AT_LEAST, share));
  const [streamStatus, destinations] = await Promise.all([
    inTurns(streams, (each) => streamStatusOf(each, ports, { now, most }, signal)),
    inTurns(ports.destinations, (destination) => destinationStatusOf(destination, ports, signal)),
  ]);
  return { at: now, streams: streamStatus, destinations };
}

/** In the order given, a few at a time. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for await (const result of mapAhead(items, CURSORS_AT_ONCE, work)) results.push(result);
  return results;
}

/** The cursors that an organization has, by its settings. */
export function streamsOf({ identities }: Pick<DeployedOrganization, 'identities'>): string[] {
  return ['logs', ...identities.map((environment) => `identities.${environment}`)];
}

async function streamStatusOf(
  each: {
    readonly organization: DeployedOrganization;
    readonly stream: string;
    readonly row: CursorRow | undefined;
  },
  { archive, destinations }: StatusPorts,
  { now, most }: { readonly now: number; readonly most: number },
  signal: AbortSignal,
): Promise<StreamStatus> {
  const { organization, stream, row } = each;
  const name = { org: organization.id, stream };
  if (row === undefined) return { ...name, health: healthOfStream(organization, stream, undefined, now) };
  const { sequence, paused, caughtUp, lastReadAt, newestEventAt, token, refusedToken, lease } = row;
  const tokenAt = token === undefined ? undefined : tokenTime(token);
  // A destination that is new starts at the row's sequence: it is owed nothing.
  const announced = new Map(Object.entries(row.announced));
  const owed = destinations.map(({ id }) => [id, sequence - (announced.get(id) ?? sequence)] as const);
  const shown = {
    ...{ sequence, paused, caughtUp },
    ...(lastReadAt !== undefined && { lastReadAt }),
    ...(newestEventAt !== undefined && { newestEventAt }),
    ...(tokenAt !== undefined && { tokenAt }),
    tokenDoubted: refusedToken !== undefined,
    owed: Object.fromEntries(owed),
    ...(lease && { lease: { ...lease, expired: lease.expiresAt <= now } }),
    gaps: await Promise.all(row.gaps.map((gap) => shownGap(gap, archive, signal))),
    ...(await recentEvents(row, archive, { now, most }, signal)),
  };
  return { ...name, row: shown, health: healthOfStream(organization, stream, shown, now) };
}

/** Newest first, to the first batch committed before the last day: none of those can hold an event of it. */
async function recentEvents(
  row: CursorRow,
  archive: StatusPorts['archive'],
  { now, most }: { readonly now: number; readonly most: number },
  signal: AbortSignal,
): Promise<{ readonly lastHour: Count; readonly lastDay: Count }> {
  const { first, last } = sequencesOfDays(row, dayOf(now - DAY_MS));
  const range = { first: Math.max(first, last - most + 1), last };
  // How far back all is known: to before the first of the day, or to the oldest batch that is looked at.
  let knownFrom = range.first > first ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let [hour, day] = [0, 0];
  for await (const { facts } of batchesOf(row, archive, range, signal, 'newest-first')) {
    if (facts === undefined) continue;
    knownFrom = Math.min(knownFrom, facts.eventTime);
    if (facts.eventTime < now - DAY_MS) break;
    // Later than now: a clock that runs ahead of ours.
    hour += eventsWithin(facts, now - HOUR_MS, Number.POSITIVE_INFINITY);
    day += eventsWithin(facts, now - DAY_MS, Number.POSITIVE_INFINITY);
  }
  return {
    lastHour: { count: Math.round(hour), atLeast: knownFrom > now - HOUR_MS },
    lastDay: { count: Math.round(day), atLeast: knownFrom > now - DAY_MS },
  };
}

async function shownGap(
  { from, to, reason, token }: Gap,
  archive: StatusPorts['archive'],
  signal: AbortSignal,
): Promise<ShownGap> {
  // A key that the row had pruned is told as its number.
  const key = reason === 'object-missing' && token?.includes('/') ? token : undefined;
  return {
    ...{ from, to, reason },
    canRewind: reason === 'stale-token' && token !== undefined,
    ...(key !== undefined && { key, restored: (await archive.head(key, signal)) !== undefined }),
  };
}

async function destinationStatusOf(
  destination: DeployedDestination,
  ports: StatusPorts,
  signal: AbortSignal,
): Promise<DestinationStatus> {
  try {
    const [queue, rejected] = await Promise.all([
      ports.queue(destination.id).standing(signal),
      unsent(destination, ports, signal),
    ]);
    return { destination, health: healthOfDestination(destination, queue, rejected), queue, rejected };
  } catch (error) {
    if (signal.aborted) throw error;
    // One that was removed, or may not be read, hides none of the others.
    const reason = `it could not be looked at: ${asOrglogError(error, 'storage').message}`;
    return { destination, health: { verdict: 'broken', reason, command: 'orglog check' } };
  }
}

async function unsent(
  { id, delivery }: DeployedDestination,
  { archive, ledger }: StatusPorts,
  signal: AbortSignal,
): Promise<Count> {
  if (delivery === 'pull') return { count: 0, atLeast: false };
  let [looked, count] = [0, 0];
  for await (const page of archive.list(rejectedPrefix(id), {}, signal)) {
    const some = page.slice(0, REJECTED_AT_MOST - looked);
    const read = ({ key }: { readonly key: string }) => ledger.read({ destination: id, key }, signal);
    for await (const row of mapAhead(some, CALLS_AT_ONCE, read)) if (!row?.done) count++;
    looked += some.length;
    if (some.length < page.length || looked >= REJECTED_AT_MOST) return { count, atLeast: true };
  }
  return { count, atLeast: false };
}
