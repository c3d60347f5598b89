import type { DeployedDestination, DeployedOrganization, QueueStanding } from './ports.ts';
import type { Count, StreamStatus } from './status.ts';

/** A verdict with its reason, and the command that helps. */
export interface Health {
  /** `attention`: a person should look, this week; `broken`: nothing gets through, today. */
  readonly verdict: 'ok' | 'attention' | 'broken';
  /** One sentence. */
  readonly reason: string;
  /** Absent where there is nothing to do. */
  readonly command?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** As the alarm `not-running`: so many periods without an answer of the provider. */
const PERIODS_MISSED = 3;
/** As many of the shortest period that an alarm knows: `orglog local` reads its stand-in every 2 seconds. */
const UNREAD_MS = 15 * MINUTE_MS;
/** A walk of the identity records is made once a day by default, and may be set to once a week. */
const IDENTITIES_READ_WITHIN_MS = 8 * DAY_MS;
/** As the alarm `lag`. */
const BEHIND_MS = HOUR_MS;
/** A gap is news for so long; it stays listed, and the provider has its events for 90 days. */
const GAP_IS_NEWS_MS = 7 * DAY_MS;
/** A queue that waits longer has a consumer that does not keep up, or none. */
const WAITS_MS = HOUR_MS;
/** Of the 14 days that a queue keeps a message. */
const WAITS_TOO_LONG_MS = 4 * DAY_MS;

/** How a cursor does: the first thing that is wrong, the worst first. */
export function healthOfStream(
  { id, everyMs }: Pick<DeployedOrganization, 'id' | 'everyMs'>,
  stream: string,
  row: StreamStatus['row'],
  now: number,
): Health {
  const org = `--org ${id}`;
  const check = `orglog check ${org}`;
  if (row === undefined)
    return broken(`it never ran: see whether its schedule and its credential work`, check);
  if (row.paused) return attention('it is paused, and collects nothing', `orglog resume ${org}`);
  const { lastReadAt, newestEventAt } = row;
  if (lastReadAt === undefined) return broken('the provider never answered it', check);
  const unread = now - lastReadAt;
  const most = stream === 'logs' ? Math.max(PERIODS_MISSED * everyMs, UNREAD_MS) : IDENTITIES_READ_WITHIN_MS;
  if (unread > most) return broken(`the provider's answer is ${duration(unread)} old`, check);
  const gap = row.gaps.findLast(({ from, to, reason, restored }) =>
    reason === 'object-missing' ? restored !== true : to > from,
  );
  if (gap !== undefined && now - gap.to < GAP_IS_NEWS_MS) {
    return gap.reason === 'object-missing'
      ? attention(
          `the object ${gap.key ?? 'of a batch'} was gone before all destinations were told of it`,
          `orglog verify ${org} --from ${day(gap.from)} --to ${day(gap.to)}`,
        )
      : attention(
          `events are missing from ${iso(gap.from)} to ${iso(gap.to)} (${gap.reason})`,
          gap.canRewind
            ? `orglog rewind ${org} --to ${iso(gap.from)}`
            : `orglog verify ${org} --from ${day(gap.from)} --to ${day(gap.to)} --against-provider`,
        );
  }
  if (row.tokenDoubted)
    return attention('the provider refused its token once: the next run decides', `orglog status ${org}`);
  const owing = Object.entries(row.owed).filter(([, batches]) => batches > 0);
  if (owing.length > 0 && (row.lease === undefined || row.lease.expired)) {
    const names = owing.map(([destination, batches]) => `${batches} to ${destination}`).join(', ');
    return attention(`batches are not yet announced: ${names}; the next run does it`, check);
  }
  const behind = now - (newestEventAt ?? now);
  if (stream === 'logs' && !row.caughtUp && behind > BEHIND_MS)
    return attention(
      `it is ${duration(behind)} behind the log, and reads on`,
      `orglog status ${org} --watch`,
    );
  return { verdict: 'ok', reason: row.caughtUp ? 'it has read the log to its end' : 'it reads on' };
}

/** How a destination does. */
export function healthOfDestination(
  { id, delivery }: DeployedDestination,
  { dead, visible, oldestAgeSeconds = 0 }: QueueStanding,
  rejected: Count,
): Health {
  const to = `--destination ${id}`;
  const age = oldestAgeSeconds * 1_000;
  const consumer = delivery === 'push' ? 'its sink takes nothing' : 'its consumer reads nothing';
  if (age > WAITS_TOO_LONG_MS)
    return broken(
      `a message has waited ${duration(age)} of the 14 days that it is kept: ${consumer}`,
      'orglog check',
    );
  if (dead > 0) return attention(`${plural(dead, 'message')} gave up`, `orglog redrive ${to}`);
  if (rejected.count > 0) {
    const count = `${rejected.atLeast ? 'at least ' : ''}${plural(rejected.count, 'event')}`;
    return attention(`it refused ${count} for good`, `orglog rejected list ${to}`);
  }
  if (age > WAITS_MS)
    return attention(
      `${plural(visible, 'message')} in wait, the oldest for ${duration(age)}`,
      'orglog check',
    );
  return { verdict: 'ok', reason: visible > 0 ? `${plural(visible, 'message')} in wait` : 'nothing waits' };
}

function attention(reason: string, command: string): Health {
  return { verdict: 'attention', reason, command };
}

function broken(reason: string, command: string): Health {
  return { verdict: 'broken', reason, command };
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function duration(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} hours`;
  return `${Math.floor(ms / MINUTE_MS)} minutes`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function day(at: number): string {
  return iso(at).slice(0, 10);
}
