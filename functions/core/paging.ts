import type { Page } from './page.ts';

/** Older than this, the newest event of a short page does not show that the log's end was reached. */
const RECENT_MS = 15 * 60_000;

export interface Asked {
  readonly token: string | undefined;
  readonly limit: number;
  readonly filtered: boolean;
  readonly now: number;
  /** Tokens that this run has read from already. */
  readonly seen: ReadonlySet<string>;
}

/**
 * What follows a page. `read-on`: ask with its token. `caught-up`: the log's end. `not-moving`: events came, but no
 * token that leads past them, or one that leads back; reading on would repeat them.
 *
 * A short page ends the log only when nothing was filtered out of it and its newest event is recent: deployed
 * providers page by time windows too, and a short page in the midst of a backlog must not end the run.
 */
export type Verdict = 'read-on' | 'caught-up' | 'not-moving';

export function whatFollows(page: Page, asked: Asked): Verdict {
  const moves = page.token !== undefined && page.token !== asked.token;
  if (page.token !== undefined && moves && asked.seen.has(page.token)) return 'not-moving';
  if (page.count === 0) return 'caught-up';
  if (!moves) return 'not-moving';
  const short = page.count < asked.limit;
  const recent = page.newestAt !== undefined && page.newestAt >= asked.now - RECENT_MS;
  return short && recent && !asked.filtered ? 'caught-up' : 'read-on';
}
