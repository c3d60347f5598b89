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
  if (to <= from) throw stillComing(from, to);
  const token =
    from >= now - WINDOW_MS + LATENESS_MS
      ? undefined
      : (await findTarget(row, { kind: 'time', time: from }, archive, now, signal)).token;
  const balance = new LineBalance();
  const counted = { archive: 0, provider: 0 };
  const count = (line: Buffer, side: Side): void => {
    const { at } = glanceAt(line);
    if (at === undefined || at < from || at >= to) return;
    balance.add(line, at, side === 'provider' ? 1 : -1);
    counted[side]++;
  };
  const countAll = (lines: Buffer, side: Side): void => {
    for (const { text, start, end } of linesOf(lines)) count(text.subarray(start, end), side);
  };
  const stretch = { from, to };
  const sides = {
    archive: archived(ports, row, stretch, (lines) => countAll(lines, 'archive'), signal),
    provider: served(
      ports,
      organization,
      { ...stretch, token },
      (lines) => countAll(lines, 'provider'),
      signal,
    ),
  };
  for await (const { side, at } of inStep(sides)) {
    yield { kind: 'progress', side, events: counted[side], ...(at !== undefined && { at }) };
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
  const between = `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  const message =
    verdict.holes === 0
      ? `the archive holds all ${counted.provider} events that the provider has ${between}`
      : `the archive lacks events that the provider has ${between}, in ${verdict.holes} hours`;
  yield {
    kind: 'summary',
    summary: { ...verdict, ...stretch, archived: counted.archive, served: counted.provider, message },
  };
}

type Side = 'archive' | 'provider';

/** One step of a side: the time that it has come to, where that is known. */
interface Reached {
  readonly at?: number | undefined;
}

/**
 * Both sides in the order of their times, the one that lags first: what they have in common balances as they go, and
 * memory holds only how far they are apart, however long the window.
 */
async function* inStep(
  sides: Readonly<Record<Side, AsyncGenerator<Reached>>>,
): AsyncGenerator<Reached & { readonly side: Side }> {
  const reached = new Map<Side, number>([
    ['archive', Number.NEGATIVE_INFINITY],
    ['provider', Number.NEGATIVE_INFINITY],
  ]);
  try {
    for (;;) {
      const [next] = [...reached].sort(([, a], [, b]) => a - b);
      if (next === undefined) return;
      const [side, before] = next;
      const step = await sides[side].next();
      if (step.done) reached.delete(side);
      else {
        reached.set(side, Math.max(before, step.value.at ?? before));
        yield { side, ...step.value };
      }
    }
  } finally {
    await Promise.all(Object.values(sides).map((side) => side.return(undefined)));
  }
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The archive's objects that can hold events of a stretch, one after another. */
async function* archived(
  { archive }: Pick<ComparisonPorts, 'archive'>,
  row: CursorRow,
  { from, to }: Stretch,
  take: (lines: Buffer) => void,
  signal: AbortSignal,
): AsyncGenerator<Reached> {
  const range = sequencesOfDays(row, dayOf(from));
  for await (const { key, facts } of batchesOf(row, archive, range, signal)) {
    if (key === undefined || facts === undefined || !touches(facts, from - MARGIN_MS, to + MARGIN_MS))
      continue;
    const stored = await archive.get(key, signal);
    if (stored === undefined) continue;
    for await (const text of wholeLines(gunzipped(stored))) take(text);
    yield { at: facts.last };
  }
}

/** The provider's pages from a token on, until they are past the stretch. */
async function* served(
  ports: ComparisonPorts,
  organization: DeployedOrganization,
  { to, token }: Stretch & { readonly token: string | undefined },
  take: (lines: Buffer) => void,
  signal: AbortSignal,
): AsyncGenerator<Reached> {
  await using reader = new ReadAhead({
    fetcher: fetcherOf(ports, organization),
    from: token,
    filtered: Object.keys(organization.filters).length > 0,
    aheadBytes: AHEAD_BYTES,
    now: () => ports.clock.now(),
    stop: signal,
  });
  for (;;) {
    const step = await reader.take();
    if (step.kind === 'stopped')
      throw new OrglogError('time-out', 'the comparison was stopped before its end: nothing is shown by it');
    if (step.kind === 'failed') throw readable(step.error, organization.id);
    const { lines, firstAt, newestAt } = step.page;
    take(lines);
    yield { at: newestAt };
    if ((firstAt ?? 0) > to + MARGIN_MS) return;
    if (step.follows === 'not-moving' && step.full) throw stuck(organization.id);
    if (step.follows !== 'read-on') return;
  }
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

function stillComing(from: number, to: number): OrglogError {
  const until = to > 0 ? `what is older than ${new Date(to).toISOString()}` : 'nothing yet';
  return new OrglogError(
    'invalid-request',
    `the stretch from ${new Date(from).toISOString()} on cannot be compared yet: events may come 10 minutes late, and the cursor may be behind; as far as it has read, ${until} can be. Compare an earlier stretch`,
  );
}

function stuck(org: string): OrglogError {
  return new OrglogError(
    'log-stuck',
    `the provider sent a full page of ${org}, and no token that leads past it: what comes behind it cannot be compared, and nothing is shown. Ask the provider about it`,
  );
}

function readable(error: Error, org: string): Error {
  if (!(error instanceof TokenRefused)) return error;
  return new OrglogError(
    'stale-token',
    `the provider does not take the token that the archive of ${org} keeps of that time: compare a later window`,
  );
}
