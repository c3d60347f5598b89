import { describe, expect, test } from 'vitest';
import { identitiesOf, pagesOf } from '../../../functions/adapters/identities/pages.ts';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { ListOptions } from '../../../functions/core/identities/identities-api.ts';
import type { IdentityBase, IdentityPage } from '../../../functions/core/identities/identity.ts';
import { clientAt, collected, never, rejection, scripted } from './bed.ts';
import { BASE } from './operations.ts';

const PROD: ListOptions = { environment: 'prod' };

function person(index: number): IdentityBase {
  return { ...BASE, serviceUid: `u${index}` };
}

/** A list of so many identities, and what it was asked, with the signal of each. */
function population(size: number) {
  const asked: { options: ListOptions; signal: AbortSignal }[] = [];
  const list = async (options: ListOptions, signal: AbortSignal): Promise<IdentityPage<IdentityBase>> => {
    asked.push({ options, signal });
    const { pageIndex = 1, pageSize = 10 } = options;
    const from = (pageIndex - 1) * pageSize;
    const items = Array.from({ length: Math.max(0, Math.min(pageSize, size - from)) }, (_, i) =>
      person(from + i),
    );
    const pageCount = Math.ceil(size / pageSize);
    return { items, totalItems: size, pageCount, pageSize: items.length, pageIndex };
  };
  const pages = () => asked.map(({ options }) => options.pageIndex);
  return { list, asked, pages };
}

describe('the pages of a list', () => {
  test.each([
    [0, [1]],
    [1, [1]],
    [50, [1]],
    [51, [1, 2]],
    [120, [1, 2, 3]],
  ])('%i identities', async (size, pages) => {
    const all = population(size);
    const seen = await collected(identitiesOf(all.list, PROD, never()));
    expect(seen).toEqual(Array.from({ length: size }, (_, i) => person(i)));
    expect(all.pages()).toEqual(pages);
    expect(all.asked[0]?.options).toEqual({ environment: 'prod', pageIndex: 1, pageSize: 50 });
  });

  test('begin and are as long as asked for', async () => {
    const all = population(10);
    const options = { ...PROD, pageIndex: 2, pageSize: 4, sortKey: 'mail' as const };
    const pages = await collected(pagesOf(all.list, options, never()));
    expect(pages.map(({ items }) => items.length)).toEqual([4, 2]);
    expect(all.asked[1]?.options).toEqual({ ...options, pageIndex: 3 });
  });

  test('are asked for one ahead of the one that is worked on', async () => {
    const all = population(200);
    const counts: number[] = [];
    for await (const page of pagesOf(all.list, PROD, never())) counts.push(all.asked.length - page.pageIndex);
    expect(counts).toEqual([1, 1, 1, 0]);
  });

  test('end with an empty one, however many there are said to be', async () => {
    const all = population(0);
    const list = async (options: ListOptions, signal: AbortSignal) => ({
      ...(await all.list(options, signal)),
      pageCount: 1_000_000,
    });
    expect(await collected(pagesOf(list, PROD, never()))).toHaveLength(1);
    expect(all.asked).toHaveLength(1);
  });

  test('end where the list has become shorter meanwhile', async () => {
    let left = 200;
    const seen: number[] = [];
    const shrinking = async (options: ListOptions, signal: AbortSignal) =>
      await population(left).list(options, signal);
    for await (const { items } of pagesOf(shrinking, PROD, never())) {
      seen.push(items.length);
      left = 60;
    }
    // The second had been asked for by then.
    expect(seen).toEqual([50, 50, 0]);
  });
});

describe('stopping early', () => {
  test('gives up the page on its way, and its end disturbs nobody', async () => {
    const all = population(200);
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const list = async (options: ListOptions, signal: AbortSignal) => {
        const page = await all.list(options, signal);
        if (options.pageIndex !== 2) return page;
        throw await new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(new OrglogError('time-out', 'given up')));
        });
      };
      for await (const page of pagesOf(list, PROD, never())) {
        expect(page.pageIndex).toBe(1);
        break;
      }
      expect(all.asked[1]?.signal.aborted).toBe(true);
      // Rejections that nobody took are told of after the microtasks.
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  test('by the signal ends the page that is waited for', async () => {
    const stop = new AbortController();
    await using server = await scripted(['hang']);
    await using client = clientAt(server.origin);
    const first = pagesOf(client.list, PROD, stop.signal).next();
    stop.abort();
    expect(await rejection(first)).toMatchObject({ code: 'time-out' });
  });
});

test('trouble with a page comes after the pages before it', async () => {
  const all = population(200);
  const list = async (options: ListOptions, signal: AbortSignal) => {
    if (options.pageIndex === 3) throw new OrglogError('unavailable', 'the third page');
    return await all.list(options, signal);
  };
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { pageIndex } of pagesOf(list, PROD, never())) seen.push(pageIndex);
  })();
  expect(await rejection(reading)).toMatchObject({ message: 'the third page' });
  expect(seen).toEqual([1, 2]);
});

test('both lists of a client can be read so, though they are handed over without it', async () => {
  const page = (index: number) => ({
    status: 200,
    body: { items: [person(index)], total_items: 2, page_cnt: 2, page_size: 1, page_idx: index },
  });
  await using server = await scripted([page(1), page(2), page(1), page(2)]);
  await using client = clientAt(server.origin);
  const plain = await collected(identitiesOf(client.list, PROD, never()));
  const options = { environment: 'test', authority: 'a' } as const;
  const linked = await collected(identitiesOf(client.listByCollection, options, never()));
  expect(plain.map(({ serviceUid }) => serviceUid)).toEqual(['u1', 'u2']);
  expect(linked).toEqual(plain);
  expect(server.asked.map(({ query }) => query)).toEqual([
    { page_idx: '1', page_size: '50' },
    { page_idx: '2', page_size: '50' },
    { attributeAuthority: 'a', page_idx: '1', page_size: '50' },
    { attributeAuthority: 'a', page_idx: '2', page_size: '50' },
  ]);
});
