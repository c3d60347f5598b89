import { expect, it } from 'vitest';
import type { LogEvent } from '../../../local/provider/event.ts';
import { generateTraffic } from '../../../local/provider/traffic.ts';
import { MINUTE, NOON, ORG_URL, type Query, readAll, readPage, start } from './support.ts';

async function withTraffic(count: number) {
  const provider = await start();
  const source = { seed: 5, orgUrl: ORG_URL, orgDomain: 'institution.edu', tenant: 'institution' };
  provider.append(ORG_URL, generateTraffic({ ...source, fromMs: NOON - 50 * MINUTE, toMs: NOON, count }));
  return provider;
}

const CASES: [Query, (event: LogEvent) => boolean][] = [
  [{ service: 'bridge' }, (event) => event.service === 'bridge'],
  [{ logType: 'cas' }, (event) => event.logType === 'cas'],
  [{ logType: 'emailMFA' }, (event) => event.logType === 'emailMFA'],
  [{ logSubtype: 'failure' }, (event) => event.logSubtype === 'failure'],
  [{ tenant: 'institution' }, () => true],
  [
    { service: 'idp', logType: 'MFA', logSubtype: 'success', tenant: 'institution' },
    (event) => event.service === 'idp' && event.logType === 'MFA' && event.logSubtype === 'success',
  ],
];

it.each(CASES)(
  'returns exactly the events that match %o, in order, over all pages',
  async (query, matches) => {
    await using provider = await withTraffic(1500);
    const expected = [...provider.lines(ORG_URL)].filter((line) => matches(JSON.parse(line)));
    expect(expected.length).toBeGreaterThan(7);
    const pages = await readAll(provider, { ...query, limit: 7 });
    expect(pages.flatMap((page) => page.logEvents.map((event) => JSON.stringify(event)))).toEqual(expected);
  },
);

it('moves the token past records that were examined in vain, and loses none that match later', async () => {
  await using provider = await start();
  const append = (logType: string) =>
    provider.appendRaw(ORG_URL, [{ json: `{"logType":"${logType}"}`, timeMs: NOON, logType }]);
  append('oidc');
  const first = await readPage(provider, { logType: 'cas' });
  expect(first).toMatchObject({ count: 0, logEvents: [] });
  expect(first.nextToken).not.toBeNull();

  append('oidc');
  const second = await readPage(provider, { logType: 'cas', nextToken: String(first.nextToken) });
  expect(second.count).toBe(0);
  expect(second.nextToken).not.toBe(first.nextToken);

  append('cas');
  const third = await readPage(provider, { logType: 'cas', nextToken: String(second.nextToken) });
  expect(third.logEvents).toEqual([{ logType: 'cas' }]);
});

it('stops at the last returned record when the page is full', async () => {
  await using provider = await withTraffic(200);
  const filtered = await readPage(provider, { logType: 'authentication', limit: 1 });
  const rest = await readPage(provider, { nextToken: String(filtered.nextToken) });
  const lines = [...provider.lines(ORG_URL)];
  const at = lines.findIndex((line) => JSON.parse(line).logType === 'authentication');
  expect(rest.logEvents.map((event) => JSON.stringify(event))).toEqual(lines.slice(at + 1));
});

it('matches no event by a tenant that none has', async () => {
  await using provider = await withTraffic(20);
  expect((await readPage(provider, { tenant: 'Institution' })).count).toBe(0);
  expect((await readPage(provider, { tenant: '' })).count).toBe(0);
});
