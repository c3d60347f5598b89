import { expect, test } from 'vitest';
import { type LineSink, ReaderGone } from '../../../cli/commands/pull/line-sink.ts';
import { pullLog } from '../../../cli/commands/pull/pull-log.ts';
import { systemClock } from '../../../functions/adapters/system-clock.ts';
import type { LogSource } from '../../../functions/core/ports.ts';
import { never } from '../../contracts/support.ts';

const PAGE_BYTES = 3 * 1024 * 1024;

test('a reader that does not read is waited for, with a few pages in memory', async () => {
  let pages = 0;
  const endless: LogSource = {
    async readPage() {
      pages += 1;
      const event = `{"n":${pages},"fill":"${'x'.repeat(PAGE_BYTES)}"}`;
      const body = Buffer.from(`{"count":1,"logEvents":[${event}],"nextToken":"t${pages}"}`);
      return { kind: 'body', body, contentType: 'application/json' };
    },
    permittedOrgUrls: async () => undefined,
  };
  const reading = Promise.withResolvers<void>();
  let taken = 0;
  const sink: LineSink = {
    async write(lines) {
      taken += lines.length;
      await reading.promise;
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const { baseUrl, orgUrl } = { baseUrl: 'https://api.institution.edu', orgUrl: 'https://institution.edu/' };
  const pulling = pullLog(
    {
      ...{ baseUrl, orgUrl, filters: {}, limit: 1, fromToken: undefined, source: endless, sink },
      ...{ clock: systemClock, random: Math.random, observe: () => {}, onProgress: () => {} },
    },
    never,
  );
  // All that can happen before the reader goes on has happened once nothing is left to be done.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  expect(taken).toBeGreaterThan(PAGE_BYTES);
  expect(pages).toBeLessThanOrEqual(5);
  reading.reject(new ReaderGone());
  const { pulled, ending } = await pulling;
  expect(ending).toEqual({ kind: 'reader-gone' });
  expect(pulled).toEqual({ events: 0, bytes: 0, pages: 0 });
});
