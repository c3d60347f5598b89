import { OrglogError } from '../errors.ts';

/** A walk that was finished: its number, counted from 1, and when it began (epoch ms). */
export interface FinishedWalk {
  readonly walk: number;
  readonly startedAt: number;
}

/** Where a page is looked for: list 0 is the plain one, list l > 0 that of the plan's authority l − 1. */
export interface PageCursor {
  readonly list: number;
  /** Counting down; absent before the list's last page is known. */
  readonly page?: number;
}

interface UnderWay {
  /** The walk under way. */
  readonly walk: number;
  /** The last one that was finished; absent before the first. */
  readonly last?: FinishedWalk;
}

/**
 * How far the sync has come. `flushes`: how many flush numbers were taken. `identities`: in the snapshot's partitions
 * before `partition`.
 */
export type Position =
  | { readonly phase: 'idle'; readonly last?: FinishedWalk }
  | ({ readonly phase: 'read'; readonly next: PageCursor; readonly flushes: number } & UnderWay)
  | ({
      readonly phase: 'merge';
      readonly partition: number;
      readonly flushes: number;
      readonly identities: number;
    } & UnderWay);

const ABSENT = '-';
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['idle', /^idle:(\d+):(\d+)$/],
  ['read', /^read:(\d+):(\d+|-):(\d+|-):(\d+):(\d+|-):(\d+)$/],
  ['merge', /^merge:(\d+):(\d+|-):(\d+|-):(\d+):(\d+):(\d+)$/],
]);

/** The position as the row's token: printable, well under 200 characters. */
export function toToken(position: Exclude<Position, { phase: 'idle' }> | IdleAfter): string {
  const { phase, last } = position;
  const finished = [last?.walk ?? ABSENT, last?.startedAt ?? ABSENT];
  if (phase === 'idle') return [phase, ...finished].join(':');
  const head = [phase, position.walk, ...finished];
  if (phase === 'merge') {
    return [...head, position.partition, position.flushes, position.identities].join(':');
  }
  return [...head, position.next.list, position.next.page ?? ABSENT, position.flushes].join(':');
}

/** Idle once a walk was finished: before the first, the row has no token. */
type IdleAfter = Extract<Position, { phase: 'idle' }> & { readonly last: FinishedWalk };

/** @throws OrglogError storage for a token that `toToken` does not write */
export function fromToken(token: string | undefined): Position {
  if (token === undefined) return { phase: 'idle' };
  const phase = token.slice(0, token.indexOf(':'));
  const parts = FORMS.get(phase)?.exec(token)?.slice(1).map(numberIn);
  if (parts === undefined) throw unreadable(token);
  const [walk = 0, a, b, c = 0, d, e = 0] = parts;
  if (phase === 'idle') return { phase, last: { walk, startedAt: a ?? 0 } };
  const last = a === undefined || b === undefined ? {} : { last: { walk: a, startedAt: b } };
  return phase === 'merge'
    ? { phase, walk, ...last, partition: c, flushes: d ?? 0, identities: e }
    : { phase: 'read', walk, ...last, next: { list: c, ...(d !== undefined && { page: d }) }, flushes: e };
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text === ABSENT ? undefined : Number(text);
}

function unreadable(token: string): OrglogError {
  return new OrglogError(
    'storage',
    `the cursor row's token "${token.slice(0, 200)}" is no position of an identity sync: put back what was there, or delete the row to begin with a first walk`,
  );
}
