import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeHandler } from '../../functions/handlers/deliver-splunk.ts';
import { type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { awsSuite, rejection } from '../adapters/aws-suite.ts';
import { replaceSecret } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import { captureOutput } from './capture-output.ts';
import { IMPATIENT, parseOutput } from './collect-bed.ts';
import { createLedgerTable, DESTINATION, type DeliverBed, openDeliverBed } from './deliver-bed.ts';

const TOKEN = '6f1c2a8e-0000-4000-8000-000000000001';
const services = await awsSuite();
const { wire } = services;
const table = await createLedgerTable(services);
const written = captureOutput();
let bed: DeliverBed;
let hec: SplunkHec;
beforeEach(async () => {
  hec = await startSplunkHec({ tokens: [{ token: TOKEN }] });
  bed = await openDeliverBed(services, { token: TOKEN }, table);
  bed.env.ORGLOG_SINK_URL = hec.url;
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await hec.close();
});

const container = (env: Record<string, string | undefined> = {}) =>
  makeHandler({ env: { ...bed.env, ...env }, ports: { clock: IMPATIENT } });

function lines(count: number, from = 0): string[] {
  return Array.from(
    { length: count },
    (_, at) => `{"timeStampISO":"2026-01-02T03:04:05Z","n":${from + at},"text":"${'x'.repeat(200)}"}`,
  );
}

describe('the function that delivers to Splunk', () => {
  test('brings every event of every object, and removes the messages', async () => {
    const keys = [await bed.announce(lines(9_000)), await bed.announce(lines(10, 9_000))];
    expect((await bed.invoke(container())).batchItemFailures).toStrictEqual([]);
    expect(hec.events.map(({ event }) => event).sort()).toStrictEqual(lines(9_010).sort());
    expect(new Set(hec.events.map(({ fields }) => fields.event_id)).size).toBe(9_010);
    expect(hec.requests.length).toBeGreaterThan(2);
    expect(await bed.waiting()).toStrictEqual({ visible: 0, hidden: 0 });
    for (const key of keys) expect(await bed.row(key)).toMatchObject({ done: true });
    const { metrics, lines: logged } = parseOutput(written);
    expect(metrics).toMatchObject([{ destination: DESTINATION, delivered: 9_010 }]);
    expect(metrics[0]).not.toHaveProperty('rejected');
    expect(logged).toMatchObject([
      { level: 'INFO', destination: DESTINATION, delivered: 9_010, messages: 2, failed: 0 },
    ]);
  });

  test('goes on where it stopped', async () => {
    const key = await bed.announce(lines(9_000));
    hec.faults.add({ kind: 'delay', delayMs: 0 });
    hec.faults.add({ kind: 'reset' }, { times: 3 });
    const { batchItemFailures, received } = await bed.invoke(container());
    expect(batchItemFailures).toStrictEqual([{ itemIdentifier: received[0]?.messageId }]);
    const { lines: settled = 0 } = (await bed.row(key)) ?? {};
    expect(settled).toBe(hec.events.length);
    expect(settled).toBeGreaterThan(1_000);
    expect(await bed.waiting()).toStrictEqual({ visible: 0, hidden: 1 });
    // As if the time of hiding were over.
    await container()({ Records: [...received] }, { getRemainingTimeInMillis: () => 150_000 });
    expect(hec.events.map(({ event }) => event)).toStrictEqual(lines(9_000));
  });

  test('lays a poison event aside, with one metric, and delivers the others', async () => {
    const all = lines(10_000);
    all[4_711] = '{"n":NaN}';
    const key = await bed.announce(all);
    await bed.invoke(container());
    expect(new Set(hec.events.map(({ event }) => event)).size).toBe(9_999);
    expect(await bed.rejected()).toStrictEqual([
      {
        key: `rejected/${DESTINATION}/${key.replace('.ndjson.gz', '-4712.ndjson')}`,
        entry: {
          event_id: expect.stringMatching(/^institution:logs:e[a-z0-9]+:1:4712$/),
          reason: 'HEC answered 400 Bad Request, code 6',
          detail: 'Invalid data format',
          destination: DESTINATION,
          object: key,
          line: 4_712,
          event: '{"n":NaN}',
        },
      },
    ]);
    const { metrics, lines: logged } = parseOutput(written);
    expect(metrics).toMatchObject([{ delivered: 9_999, rejected: 1 }]);
    expect(logged).toMatchObject([{ level: 'WARN', key, line: 4_712 }, { level: 'INFO' }]);
    expect(written.join('\n')).not.toContain('NaN');
  });

  test('stops at a token that is refused, says so, and names no secret', async () => {
    for (let object = 0; object < 5; object++) await bed.announce(lines(1));
    await replaceSecret(services, bed.secretId, { token: 'oops-4711' });
    const { batchItemFailures } = await bed.invoke(container({ ORGLOG_CONCURRENCY: '1' }));
    expect(batchItemFailures).toHaveLength(5);
    expect(hec.requests).toHaveLength(1);
    const { metrics, lines: logged } = parseOutput(written);
    expect(metrics).toMatchObject([{ configuration: 5 }]);
    expect(logged).toMatchObject([{ level: 'ERROR', failed: 5 }]);
    expect(written.join('\n')).not.toMatch(/oops-4711|6f1c2a8e/);
  });

  test('uses a token that was rotated meanwhile', async () => {
    const handler = container();
    await bed.announce(lines(1));
    await bed.invoke(handler);
    await hec.close();
    hec = await startSplunkHec({ tokens: [{ token: 'rotated' }], port: Number(new URL(hec.url).port) });
    await replaceSecret(services, bed.secretId, { token: 'rotated' });
    await bed.announce(lines(1));
    expect((await bed.invoke(handler)).batchItemFailures).toStrictEqual([]);
    expect(hec.events).toHaveLength(1);
  });

  test('fails a message that is none of ours, and only that', async () => {
    await bed.send('hello');
    await bed.announce(lines(3));
    const { batchItemFailures, received } = await bed.invoke(container());
    const poison = received.find(({ body }) => body === 'hello');
    expect(batchItemFailures).toStrictEqual([{ itemIdentifier: poison?.messageId }]);
    expect(hec.events).toHaveLength(3);
    expect(parseOutput(written).metrics).toMatchObject([{ delivered: 3, unreadable: 1 }]);
  });

  test('stops in time, and goes on next time', async () => {
    const key = await bed.announce(lines(20_000));
    hec.faults.add({ kind: 'delay', delayMs: 150 }, { times: Infinity });
    const { batchItemFailures, received } = await bed.invoke(container(), 900);
    expect(batchItemFailures).toHaveLength(1);
    expect(await bed.row(key)).toMatchObject({ done: false, lines: hec.events.length });
    expect(hec.events.length).toBeGreaterThan(0);
    hec.faults.clear();
    await container()({ Records: [...received] }, { getRemainingTimeInMillis: () => 150_000 });
    expect(hec.events).toHaveLength(20_000);
  });

  test('refuses a faulty environment, naming every fault', async () => {
    const env = { ...bed.env, ORGLOG_SINK_URL: 'http://splunk.institution.edu', ORGLOG_SINK_CA: 'none' };
    const handler = makeHandler({ env });
    const error = await rejection(handler({ Records: [] }, { getRemainingTimeInMillis: () => 1_000 }));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/2 faults/);
  });
});

describe.runIf(onLoopback)('lost answers of the stores', () => {
  const LOST = { kind: 'lose-answer' } as const;

  test('of the ledger: the SDK asks again, finds the row moved on, and nothing is lost', async () => {
    await bed.announce(lines(10));
    await wire.fail('UpdateItem', LOST);
    const { received } = await bed.invoke(container());
    await container()({ Records: [...received] }, { getRemainingTimeInMillis: () => 150_000 });
    expect(hec.events.map(({ event }) => event)).toStrictEqual(lines(10));
  });

  test('of the archive: what was cut short is read again', async () => {
    await bed.announce(lines(3_000));
    await wire.fail('GetObject', { kind: 'cut-answer' });
    const { received, batchItemFailures } = await bed.invoke(container());
    if (batchItemFailures.length > 0)
      await container()({ Records: [...received] }, { getRemainingTimeInMillis: () => 150_000 });
    expect(new Set(hec.events.map(({ event }) => event)).size).toBe(3_000);
  });

  test('of a refused event: it meets itself', async () => {
    await bed.announce(['{"n":NaN}', ...lines(2)]);
    await wire.fail('PutObject', LOST);
    const { received, batchItemFailures } = await bed.invoke(container());
    if (batchItemFailures.length > 0)
      await container()({ Records: [...received] }, { getRemainingTimeInMillis: () => 150_000 });
    expect(await bed.rejected()).toHaveLength(1);
    expect(hec.events.map(({ event }) => event)).toStrictEqual(lines(2));
  });
});
