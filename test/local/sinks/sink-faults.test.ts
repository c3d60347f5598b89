import { describe, expect, it } from 'vitest';
import type { WireFault } from '../../../local/sinks/fault-script.ts';
import { type HecOptions, startSplunkHec } from '../../../local/sinks/splunk-hec.ts';
import { post, TOKEN } from './hec-client.ts';

const start = (options: Partial<HecOptions> = {}) =>
  startSplunkHec({ tokens: [{ token: TOKEN }], ...options });
const EVENT = '{"event":"a"}';

describe('a scripted fault', () => {
  it.each<[string, WireFault, number]>([
    ['a reset before anything happened', { kind: 'reset' }, 0],
    ['a lost response', { kind: 'reset', takesEffect: true }, 1],
    ['half an answer', { kind: 'cut-body' }, 1],
  ])('%s breaks the request', async (_, fault, indexed) => {
    await using hec = await start();
    hec.faults.add(fault);
    await expect(post(hec, EVENT)).rejects.toThrow();
    expect(hec.events).toHaveLength(indexed);
    expect(await post(hec, EVENT)).toMatchObject({ status: 200 });
    expect(hec.events).toHaveLength(indexed + 1);
  });

  it.each([false, true])(
    'a status is an answer, whether or not it takes effect (%s)',
    async (takesEffect) => {
      await using hec = await start();
      hec.faults.add({ kind: 'status', status: 503, retryAfter: 7, takesEffect });
      const response = await fetch(`${hec.url}/services/collector`, {
        method: 'POST',
        headers: { authorization: `Splunk ${TOKEN}` },
        body: EVENT,
      });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('7');
      expect(await response.json()).toStrictEqual({ text: 'Server is busy', code: 9 });
      expect(hec.events).toHaveLength(takesEffect ? 1 : 0);
    },
  );

  it('a status has the body that the script names, and a date to wait for', async () => {
    await using hec = await start();
    const until = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    hec.faults.add({ kind: 'status', status: 502, body: '<html>', retryAfter: until });
    const response = await fetch(`${hec.url}/services/collector`, { method: 'POST' });
    expect(response.headers.get('retry-after')).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
    expect(await response.text()).toBe('<html>');
  });

  it.each([false, true])(
    'silence lasts until the client gives up (takes effect: %s)',
    async (takesEffect) => {
      await using hec = await start();
      hec.faults.add({ kind: 'hang', takesEffect });
      const request = fetch(`${hec.url}/services/collector`, {
        method: 'POST',
        headers: { authorization: `Splunk ${TOKEN}` },
        body: EVENT,
        signal: AbortSignal.timeout(100),
      });
      await expect(request).rejects.toThrow();
      expect(hec.events).toHaveLength(takesEffect ? 1 : 0);
    },
  );

  it('a late answer is a true one', async () => {
    await using hec = await start();
    hec.faults.add({ kind: 'delay', delayMs: 50 });
    const startedAt = performance.now();
    expect(await post(hec, EVENT)).toMatchObject({ status: 200 });
    expect(performance.now() - startedAt).toBeGreaterThan(40);
    expect(hec.events).toHaveLength(1);
  });

  it('befalls the requests that it is meant for, so often as it is meant to', async () => {
    await using hec = await start();
    hec.faults.add({ kind: 'status', status: 500 }, { times: 2, on: ({ bytes }) => bytes > 20 });
    const large = '{"event":"a long enough event"}';
    const statuses: number[] = [];
    for (const body of [EVENT, large, EVENT, large, large]) statuses.push((await post(hec, body)).status);
    expect(statuses).toStrictEqual([200, 500, 200, 500, 200]);
    expect(hec.faults.pending).toBe(0);
    expect(hec.requests.map(({ fault }) => fault)).toStrictEqual([
      undefined,
      'status',
      undefined,
      'status',
      undefined,
    ]);
  });

  it('stands until it is cleared', async () => {
    await using hec = await start();
    hec.faults.add({ kind: 'status', status: 401 }, { times: Infinity });
    for (const _ of [1, 2, 3])
      expect(await post(hec, EVENT)).toMatchObject({ status: 401, body: { code: 3 } });
    hec.faults.clear();
    expect(await post(hec, EVENT)).toMatchObject({ status: 200 });
  });
});

describe('a fault of HEC’s own', () => {
  const batch = '{"event":"a"}{"event":"b"}{"event":"c"}';

  it('the queue fills in the middle of a request', async () => {
    await using hec = await start();
    hec.faults.add({ kind: 'busy', taken: 2 });
    const body = { text: 'Server is busy', code: 9, 'invalid-event-number': 2 };
    expect(await post(hec, batch)).toStrictEqual({ status: 503, body });
    expect(hec.events.map(({ event }) => event)).toStrictEqual(['"a"', '"b"']);
  });

  it('a poison event is refused wherever it is', async () => {
    await using hec = await start();
    hec.faults.add({ kind: 'refuse', code: 15, which: ({ event }) => event === '"b"' }, { times: Infinity });
    expect(await post(hec, batch)).toMatchObject({
      status: 400,
      body: { code: 15, 'invalid-event-number': 1 },
    });
    expect(await post(hec, '{"event":"b"}')).toMatchObject({ body: { code: 15, 'invalid-event-number': 0 } });
    expect(await post(hec, '{"event":"a"}{"event":"c"}')).toMatchObject({ status: 200 });
  });
});

it('a sink knows how many requests it answered at once', async () => {
  await using hec = await start();
  hec.faults.add({ kind: 'delay', delayMs: 50 }, { times: 3 });
  await Promise.all([1, 2, 3].map(() => post(hec, EVENT)));
  expect(hec.concurrency.peak).toBe(3);
});

it('a sink that is closed ends what is under way', async () => {
  const hec = await start();
  hec.faults.add({ kind: 'delay', delayMs: 60_000 });
  const request = expect(post(hec, EVENT)).rejects.toThrow();
  await expect.poll(() => hec.events.length).toBe(1);
  await hec.close();
  await request;
  await hec.close();
});
