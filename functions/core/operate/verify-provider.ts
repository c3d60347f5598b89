import { gunzipped, linesOf, wholeLines } from '../delivery/lines.ts';
import { OrglogError } from '../errors.ts';
import { PageFetcher, TokenRefused } from '../fetch-page.ts';
import { LATENESS_MS, WINDOW_MS } from '../gaps.ts';
import { dayOf } from '../keys.ts';
import { glanceAt } from '../log-event.ts';
import type { Clock, CursorRow, LogSource } from '../ports.ts';
import { ReadAhead } from '../read-ahead.ts';
import { Tally } from '../tally.ts';
import { batchesOf, sequencesOfDays } from './batches.ts';
import { touches } from './event-times.ts';
import { type Finding, FindingTally, type Verdict } from './findings.ts';
import { LineBalance } from './line-counts.ts';
import type { DeployedOrganization, OperatorArchive } from './ports.ts';
import { findTarget } from './rewind-target.ts';

export interface ComparisonSummary extends Verdict {
  /** What was compared, epoch ms: the end may be earlier than asked for, since the last minutes are still coming in. */
  readonly from: number;
  readonly to: number;
  /** Events of this stretch that each side has. */
  readonly archived: number;
  readonly served: number;
  readonly message: string;
}

export type ComparisonStep =
  | {
      readonly kind: 'progress';
      readonly side: 'archive' | 'provider';
      readonly events: number;
      /** Time of the last event that was read. */
      readonly at?: number;
    }
  | { readonly kind: 'finding'; readonly finding: Finding }
  | { readonly kind: 'summary'; readonly summary: ComparisonSummary };

export interface ComparisonPorts {
  readonly archive: Pick<OperatorArchive, 'head' | 'get'>;
  readonly source: LogSource;
  readonly clock: Clock;
  /** Uniform in [0, 1): jitter. */
  readonly random: () => number;
}

/** How much later than its place in the log an event may say that it happened. */
const MARGIN_MS = 15 * 60_000;
const AHEAD_BYTES = 8 * 1024 * 1024;
/** A window may be large: it is read for as long as it takes. */
const WITHOUT_END = Number.MAX_SAFE_INTEGER;

/**
 * Read a window (epoch ms, end excluded) once more from the provider, from a token that the archive keeps, and compare
 * it with the archive as multisets of lines, hour by hour. The cursor is neither used nor moved. Events whose time
 * cannot be read are compared with nothing.
 *
 * @throws OrglogError where there is no token of that time, or the provider refuses it, or cannot be read
 */
export async function* verifyAgainstProvider(
  ports: ComparisonPorts,
  organization: DeployedOrganization,
  row: CursorRow,
  window: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): AsyncGenerator<ComparisonStep> {
  const { archive, clock } = ports;
  const now = clock.now();
  const from = window.from;
  const to = Math.min(window.to, settledUntil(row));
  const token =
    from >= now - WINDOW_MS + LATENESS_MS
      ? undefined
      : (await findTarget(row, { kind: 'time', time: from }, archive, now, signal)).token;
  const balance = new LineBalance();
  const count = (line: Buffer, side: 1 | -1): number => {
    const { at } = glanceAt(line);
    if (at === undefined || at < from || at >= to) return 0;
    balance.add(line, at, side);
    return 1;
  };
  const countAll = (lines: Buffer, side: 1 | -1): number =>
    linesOf(lines).reduce((sum, { text, start, end }) => sum + count(text.subarray(start, end), side), 0);

  let archived = 0;
  const range = sequencesOfDays(row, dayOf(from));
  for await (const { key, facts } of batchesOf(row, archive, range, signal)) {
    if (key === undefined || facts === undefined || !touches(facts, from - MARGIN_MS, to + MARGIN_MS))
      continue;
    const stored = await archive.get(key, signal);
    if (stored === undefined) continue;
    for await (const text of wholeLines(gunzipped(stored))) archived += countAll(text, -1);
    yield { kind: 'progress', side: 'archive', events: archived, ...(facts.last && { at: facts.last }) };
  }

  let served = 0;
  await using reader = new ReadAhead({
    fetcher: fetcherOf(ports, organization),
    from: token,
    filtered: Object.keys(organization.filters).length > 0,
    aheadBytes: AHEAD_BYTES,
    now: () => clock.now(),
    stop: signal,
  });
  for (;;) {
    const step = await reader.take();
    if (step.kind === 'stopped')
      throw new OrglogError('time-out', 'the comparison was stopped before its end: nothing is shown by it');
    if (step.kind === 'failed') throw readable(step.error, organization.id);
    const { lines, firstAt, newestAt } = step.page;
    served += countAll(lines, 1);
    yield {
      kind: 'progress',
      side: 'provider',
      events: served,
      ...(newestAt !== undefined && { at: newestAt }),
    };
    if (step.follows !== 'read-on' || (firstAt ?? 0) > to + MARGIN_MS) break;
  }

  const tally = new FindingTally();
  for (const { at, missing, extra } of balance.differences()) {
    const hour = `in the hour from ${new Date(at).toISOString()}`;
    if (missing > 0) {
      const message = `${missing} events ${hour} are at the provider and not in the archive: rewind to before it fills them in`;
      yield tally.add({ kind: 'not-archived', severity: 'hole', message });
    }
    if (extra > 0) {
      const message = `${extra} events ${hour} are in the archive and no longer at the provider, or are archived more than once`;
      yield tally.add({ kind: 'extra', severity: 'note', message });
    }
  }
  const { verdict } = tally;
  const stretch = `from ${new Date(from).toISOString()} to ${new Date(Math.max(from, to)).toISOString()}`;
  const message =
    verdict.holes === 0
      ? `the archive holds all ${served} events that the provider has ${stretch}`
      : `the archive lacks events that the provider has ${stretch}, in ${verdict.holes} hours`;
  yield { kind: 'summary', summary: { ...verdict, from, to, archived, served, message } };
}

/** No event from before this time can still be missing because it was not collected yet. */
function settledUntil({ caughtUp, lastReadAt, newestEventAt }: CursorRow): number {
  return ((caughtUp ? lastReadAt : newestEventAt) ?? 0) - LATENESS_MS;
}

function fetcherOf(
  { source, clock, random }: ComparisonPorts,
  { id: org, baseUrl, orgUrl, filters, limit }: DeployedOrganization,
): PageFetcher {
  const settings = { org, baseUrl, orgUrl, filters, limit, maxAttempts: 6 };
  const ports = { source, clock, random, observe: () => {} };
  return new PageFetcher(ports, settings, { readUntil: WITHOUT_END }, new Tally());
}

function readable(error: Error, org: string): Error {
  if (!(error instanceof TokenRefused)) return error;
  return new OrglogError(
    'stale-token',
    `the provider does not take the token that the archive of ${org} keeps of that time: compare a later window`,
  );
}
