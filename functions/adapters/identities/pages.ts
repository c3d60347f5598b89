import type { PageOptions } from '../../core/identities/identities-api.ts';
import type { IdentityBase, IdentityPage } from '../../core/identities/identity.ts';

/** `list` or `listByCollection` of an IdentitiesApi. */
export type ListOperation<Options extends PageOptions, Item extends IdentityBase> = (
  options: Options,
  signal: AbortSignal,
) => Promise<IdentityPage<Item>>;

/** The longest page that the provider gives (identities-v1.md, "Limits"). */
const LONGEST_PAGE = 50;

/**
 * The pages of a list in their order, from `pageIndex` (default the first) to the last, the page after each asked for
 * while it is worked on. A list that changes while it is read can show an identity twice or not at all: that is in
 * numbered pages. Whoever stops early gives up the page that is on its way.
 *
 * @param options `pageSize` defaults to 50 here
 * @throws OrglogError as the list does, at the page in question: those before it have been handed over
 */
export async function* pagesOf<Options extends PageOptions, Item extends IdentityBase>(
  list: ListOperation<Options, Item>,
  options: Options,
  signal: AbortSignal,
): AsyncGenerator<IdentityPage<Item>, void, undefined> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const ask = (pageIndex: number) => {
    const page = list({ ...options, pageSize: options.pageSize ?? LONGEST_PAGE, pageIndex }, either);
    // Whether it failed matters only to whoever comes for it.
    page.catch(() => undefined);
    return page;
  };
  let pageIndex = options.pageIndex ?? 1;
  let next: Promise<IdentityPage<Item>> | undefined = ask(pageIndex);
  try {
    while (next !== undefined) {
      const page: IdentityPage<Item> = await next;
      pageIndex += 1;
      next = page.items.length > 0 && pageIndex <= page.pageCount ? ask(pageIndex) : undefined;
      yield page;
    }
  } finally {
    stop.abort();
  }
}

/** The identities of those pages, one by one. */
export async function* identitiesOf<Options extends PageOptions, Item extends IdentityBase>(
  list: ListOperation<Options, Item>,
  options: Options,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pagesOf(list, options, signal)) yield* page.items;
}
