import { OrglogError } from '../errors.ts';
import { LATENESS_MS } from '../gaps.ts';
import type { Archive, CursorRow } from '../ports.ts';
import { batchAt, batchesOf } from './batches.ts';
import { timesOf } from './event-times.ts';

/**
 * Where to go back to. `sequence`: to where this batch began. `time`: so far that every event from then on (epoch ms) is
 * read again; a little more will be, because events are late in the log by up to 10 minutes. `gap`: to the token that
 * the provider refused when the row's gap at this index was recorded.
 */
export type RewindTo =
  | { readonly kind: 'sequence'; readonly sequence: number }
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'gap'; readonly index: number };

/** A place in the provider's log. */
export interface RewindTarget {
  readonly token: string;
  /** Epoch ms of the first event behind it that is known; of the gap's start. */
  readonly at: number;
  /** The first batch behind it, where one is known. */
  readonly sequence?: number;
}

/** How long the provider keeps its log (design §3). */
export const PROVIDER_KEEPS_MS = 90 * 86_400_000;

/**
 * The token that is kept of the place to go back to.
 *
 * @throws OrglogError `invalid-request` where none is, or the provider's log no longer reaches back to it
 */
export async function findTarget(
  row: CursorRow,
  to: RewindTo,
  archive: Pick<Archive, 'head'>,
  now: number,
  signal: AbortSignal,
): Promise<RewindTarget> {
  const oldest = now - PROVIDER_KEEPS_MS;
  if (to.kind === 'time' && to.time < oldest) throw tooOld(to.time);
  const target = await lookFor(row, to, archive, signal);
  if (target.at < oldest) throw tooOld(target.at);
  return target;
}

function lookFor(
  row: CursorRow,
  to: RewindTo,
  archive: Pick<Archive, 'head'>,
  signal: AbortSignal,
): Promise<RewindTarget> | RewindTarget {
  switch (to.kind) {
    case 'sequence':
      return startOf(row, to.sequence, archive, signal);
    case 'gap':
      return startOfGap(row, to.index);
    case 'time': {
      const index = row.gaps.findLastIndex(
        ({ from, to: end, reason, token }) =>
          reason === 'stale-token' && token !== undefined && from <= to.time && to.time <= end,
      );
      return index < 0 ? before(row, to.time, archive, signal) : startOfGap(row, index);
    }
  }
}

async function startOf(
  row: CursorRow,
  sequence: number,
  archive: Pick<Archive, 'head'>,
  signal: AbortSignal,
): Promise<RewindTarget> {
  if (sequence < 1 || sequence > row.sequence) {
    throw invalid(`${row.org} has the batches 1 to ${row.sequence}, not ${sequence}: name one of them`);
  }
  const { facts } = await batchAt(row, archive, sequence, signal);
  // A batch that is lost began where the one before it ended.
  const previous =
    sequence > 1 && facts === undefined ? await batchAt(row, archive, sequence - 1, signal) : undefined;
  const token = facts === undefined ? previous?.facts?.end : facts.start;
  const known = facts ?? previous?.facts;
  if (token === undefined || known === undefined) {
    throw invalid(
      `the archive keeps no token of where batch ${sequence} of ${row.org} began (the log gave none yet, or the object is gone): go back to another batch`,
    );
  }
  const { first, last } = timesOf(known);
  return { token, at: facts === undefined ? last : first, sequence };
}

function startOfGap(row: CursorRow, index: number): RewindTarget {
  const gap = row.gaps[index];
  if (gap?.token === undefined || gap.reason !== 'stale-token') {
    throw invalid(
      `gap ${index + 1} of ${row.org} has no token to go back to: only a gap after a stale token has one. See \`orglog status\``,
    );
  }
  return { token: gap.token, at: gap.from };
}

/** Newest first: the first batch met that ends before the time tells that all behind it is newer. */
async function before(
  row: CursorRow,
  time: number,
  archive: Pick<Archive, 'head'>,
  signal: AbortSignal,
): Promise<RewindTarget> {
  const range = { first: 1, last: row.sequence };
  let earliest: RewindTarget | undefined;
  for await (const { sequence, key, facts } of batchesOf(row, archive, range, signal, 'newest-first')) {
    if (key === undefined) break;
    if (facts === undefined) continue;
    const { first, last } = timesOf(facts);
    // An event that claims to come from the future says nothing about where its batch lies.
    if (Math.min(last, facts.eventTime) < time - LATENESS_MS) {
      // Where it ended, not where the next one that is left began: one in between may be lost.
      const token = facts.end ?? earliest?.token;
      if (token === undefined) break;
      return { ...(earliest ?? { at: last }), token };
    }
    if (facts.start !== undefined) earliest = { token: facts.start, at: first, sequence };
  }
  const known =
    earliest &&
    `; the earliest is of ${new Date(earliest.at).toISOString()}, where batch ${earliest.sequence} began`;
  throw invalid(
    `the archive of ${row.org} keeps no token from before ${new Date(time).toISOString()}: nothing was collected by then, or it has expired${known ?? ''}`,
  );
}

function tooOld(at: number): OrglogError {
  return invalid(
    `${new Date(at).toISOString()} lies outside the 90 days that the provider keeps its log: nothing could be read there`,
  );
}

function invalid(message: string): OrglogError {
  return new OrglogError('invalid-request', message);
}
