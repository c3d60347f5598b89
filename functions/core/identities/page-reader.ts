import { OrglogError } from '../errors.ts';
import type { Identity, IdentityPage } from './identity.ts';
import type { Plan } from './plan.ts';
import type { IdentitySource } from './ports.ts';
import type { PageCursor } from './position.ts';

/** One page as it was answered, and where reading goes on; `next` is absent after the last list's first page. */
export interface AnsweredPage {
  readonly list: number;
  readonly page: number;
  /** Pages in the list. */
  readonly of: number;
  readonly items: readonly Identity[];
  readonly next?: PageCursor;
}

/**
 * Every page of every list of a plan from `from` on, each list from its last page to its first: under ascending
 * `createTime` a deletion shifts what is unread into what is still to be read, never past it. The page after is asked
 * for before one is handed out.
 *
 * @throws OrglogError what the source throws, once the pages before it were handed out; also when `stop` fires
 */
export async function* pagesBackwards(
  source: Pick<IdentitySource, 'page'>,
  plan: Plan,
  from: PageCursor,
  stop: AbortSignal,
): AsyncGenerator<AnsweredPage, void, void> {
  const abandon = new AbortController();
  const signal = AbortSignal.any([stop, abandon.signal]);
  const read = (cursor: PageCursor) => {
    const answer = answered(source, plan, cursor, signal);
    // It may fail while an earlier page is worked on: whoever takes it hears of that.
    answer.catch(() => {});
    return answer;
  };
  let ahead: Promise<AnsweredPage> | undefined = read(from);
  try {
    while (ahead !== undefined) {
      const page: AnsweredPage = await ahead;
      ahead = page.next && read(page.next);
      yield page;
    }
  } finally {
    abandon.abort();
    await ahead?.catch(() => {});
  }
}

async function answered(
  source: Pick<IdentitySource, 'page'>,
  plan: Plan,
  cursor: PageCursor,
  signal: AbortSignal,
): Promise<AnsweredPage> {
  const { list, page } = cursor;
  if (signal.aborted) throw new OrglogError('time-out', 'the time that a run has to read is over');
  const ask = (number: number) => {
    const authority = plan.authorities[list - 1];
    const { environment } = plan;
    return source.page({ environment, page: number, ...(authority !== undefined && { authority }) }, signal);
  };
  if (page !== undefined) {
    try {
      return made(plan, list, page, await ask(page));
    } catch (error) {
      if (page === 1 || signal.aborted || isNotAuthorized(error)) throw error;
      // Deletions may have left it behind the list's end: how a provider answers to such a page is not documented.
      const first = await ask(1);
      if (first.pageCount >= page) throw error;
      return fromLast(plan, list, first, ask);
    }
  }
  return fromLast(plan, list, await ask(1), ask);
}

/** A list has as many pages as its first one says now. */
async function fromLast(
  plan: Plan,
  list: number,
  first: IdentityPage,
  ask: (page: number) => Promise<IdentityPage>,
): Promise<AnsweredPage> {
  const last = first.pageCount;
  return last <= 1 ? made(plan, list, 1, first) : made(plan, list, last, await ask(last));
}

/** @throws OrglogError unavailable for a page that is another one, though the list has the one that was asked for */
function made(plan: Plan, list: number, page: number, answer: IdentityPage): AnsweredPage {
  if (answer.pageIndex !== page && page <= answer.pageCount) {
    throw new OrglogError(
      'unavailable',
      `the provider was asked for page ${page} of ${answer.pageCount}, and answered page ${answer.pageIndex}: a cache or proxy that leaves out the query? The walk stays where it is`,
    );
  }
  const next = page > 1 ? { list, page: page - 1 } : { list: list + 1 };
  const ended = next.list > plan.authorities.length;
  return { list, page, of: answer.pageCount, items: answer.items, ...(!ended && { next }) };
}

function isNotAuthorized(error: unknown): boolean {
  return error instanceof OrglogError && error.code === 'not-authorized';
}
