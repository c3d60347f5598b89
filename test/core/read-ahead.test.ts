import { setImmediate as settled } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readPage } from '../../functions/core/page.ts';
import { ReadAhead } from '../../functions/core/read-ahead.ts';

/** Pages of one short event in a body of over 1,000 bytes. */
function roomyPages() {
  let fetched = 0;
  const fetch = async () => {
    fetched++;
    const body = `{"nextToken":"t${fetched}","count":1,${' '.repeat(1000)}"logEvents":[{}]}`;
    return { page: readPage(Buffer.from(body)), limit: 1 };
  };
  return { fetch, fetched: () => fetched };
}

it('reads no further ahead than its bytes, counting all that the pages hold in memory', async () => {
  const pages = roomyPages();
  const stop = new AbortController();
  await using reader = new ReadAhead({
    fetcher: pages,
    from: undefined,
    filtered: false,
    aheadBytes: 3000,
    now: () => 0,
    stop: stop.signal,
  });
  await settled();
  expect(pages.fetched()).toBe(3);
  expect((await reader.take()).kind).toBe('page');
  await settled();
  expect(pages.fetched()).toBe(4);
});
