import { inspect } from 'node:util';
import { CreateQueueCommand, DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gzipCompressor } from '../../functions/core/gzip.ts';
import { awsSuite, rejection } from '../adapters/aws-suite.ts';
import { createCursorTable, removeCursorTable, replaceSecret } from '../aws/resources.ts';
import { onLoopback } from '../aws/services.ts';
import type { Fault } from '../aws/wire.ts';
import { captureOutput } from './capture-output.ts';
import { type Bed, IMPATIENT, lambdaContext, login, ORG_URL, openBed, parseOutput } from './collect-bed.ts';

const services = await awsSuite();
const { wire } = services;
const table = await createCursorTable(services);
afterAll(() => removeCursorTable(services, table));
const written = captureOutput();
let bed: Bed;
beforeEach(async () => {
  bed = await openBed(services, table);
  bed.produce(300);
});
afterEach(() => bed[Symbol.asyncDispose]());

const LOST: Fault = { kind: 'lose-answer' };
/** As often as the SDK tries one call. */
const ATTEMPTS = 3;

/** Everything that was announced to a destination, each object once. */
async function arrived(destination: 'splunk' | 'elastic' = 'splunk'): Promise<string> {
  const messages = new Map((await bed.receive(destination)).map(({ key, body }) => [key, body]));
  let text = '';
  for (const key of messages.keys()) text += await bed.read(key);
  return text;
}

const wholeLog = () => `${[...bed.provider.lines(ORG_URL)].join('\n')}\n`;

/** A container in which something happens when the first batch is about to be put. */
function beforeThePut(happen: () => Promise<void>) {
  let happened = false;
  const newCompressor = () => {
    const gzip = gzipCompressor();
    return {
      write: (bytes: Uint8Array) => gzip.write(bytes),
      get size() {
        return gzip.size;
      },
      finish: async () => {
        if (!happened) await happen();
        happened = true;
        return await gzip.finish();
      },
      discard: () => gzip.discard(),
    };
  };
  return bed.container({ ports: { newCompressor } });
}

describe.runIf(onLoopback)('a batch that fails to upload', () => {
  test.each([
    ['at the first', 0],
    ['later', 250],
  ])('leaves the cursor where it was: %s', async (_when, before) => {
    const collect = bed.container();
    if (before > 0) {
      await collect({}, lambdaContext());
      bed.produce(before, 1);
    }
    const row = await bed.row();
    await wire.fail('PutObject', { kind: 'status', status: 500 }, ATTEMPTS);
    const error = await rejection(collect({}, lambdaContext()));
    expect(error.code).toBe('storage');
    expect(error.message).toContain('s3:PutObject');
    expect(parseOutput(written).lines.at(-1)).toMatchObject({
      level: 'ERROR',
      outcome: 'failed',
      error: { code: 'storage' },
    });
    // A failed run gives no sign of life: the alarm not-running counts those.
    expect(parseOutput(written).metrics).toHaveLength(before > 0 ? 1 : 0);
    const after = await bed.row();
    expect(after).toMatchObject({ sequence: row?.sequence ?? 0 });
    expect([after?.token, after?.lease]).toEqual([row?.token, undefined]);

    await collect({}, lambdaContext());
    expect(await arrived()).toBe(wholeLog());
  });
});

describe.runIf(onLoopback)('an answer that is lost', () => {
  test.each([
    ['PutObject', 1],
    ['PutObject', ATTEMPTS],
    ['UpdateItem', 1],
    ['UpdateItem', ATTEMPTS],
    ['SendMessage', 1],
    ['SendMessage', ATTEMPTS],
  ])('to %s, %i times: everything arrives, nothing under two keys', async (operation, times) => {
    const collect = beforeThePut(() => wire.fail(operation, LOST, times));
    await collect({}, lambdaContext()).catch(() => {});
    const report = await collect({}, lambdaContext());
    expect(report.outcome).toBe('caught-up');
    for (const destination of ['splunk', 'elastic'] as const) {
      const messages = await bed.receive(destination);
      expect(new Set(messages.map(({ body }) => body)).size).toBe(1);
      expect(await bed.read(messages[0]?.key ?? '')).toBe(wholeLog());
    }
    expect(await bed.row()).toMatchObject({ sequence: 1, announced: { splunk: 1, elastic: 1 }, gaps: [] });
  });

  test('to the lease: the run goes on, or the next one does', async () => {
    const collect = bed.container();
    await wire.fail('UpdateItem', LOST, ATTEMPTS);
    await rejection(collect({}, lambdaContext()));
    expect(await collect({}, lambdaContext())).toMatchObject({ outcome: 'caught-up', events: 300 });
    expect(await arrived()).toBe(wholeLog());
  });
});

describe.runIf(onLoopback)('credentials', () => {
  const rotated = { username: 'collector', password: 'the next one', orgUrls: [ORG_URL] };

  test('that were rotated meanwhile are read afresh, and the run goes on', async () => {
    const collect = bed.container();
    await collect({}, lambdaContext());
    bed.credentials.splice(0, 1, rotated);
    await replaceSecret(services, bed.secretId, login(rotated));
    await wire.reset();
    bed.produce(10, 1);
    const report = await collect({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'caught-up', events: 10, providerErrors: { '401': 1 } });
    expect((await wire.counts()).secretsmanager).toEqual({ GetSecretValue: 1 });
    expect(written.join('\n')).not.toContain(rotated.password);
  });

  test('that stay refused are tried twice, then named', async () => {
    bed.credentials.splice(0, 1, rotated);
    const error = await rejection(bed.container()({}, lambdaContext()));
    expect(error.code).toBe('credentials-refused');
    expect(bed.provider.requests).toHaveLength(2);
    expect((await wire.counts()).secretsmanager?.GetSecretValue).toBe(2);
  });

  test('that cannot be read show in no error, and in no log', async () => {
    await replaceSecret(services, bed.secretId, '{"username":"collector","password":"oops:4711"');
    const error = await rejection(bed.container()({}, lambdaContext()));
    expect(error.code).toBe('configuration');
    expect(inspect(error, { depth: 9 }) + written.join('\n')).not.toContain('4711');
    expect(await bed.row()).not.toHaveProperty('lease');
  });
});

describe.runIf(onLoopback)('a queue that is gone', () => {
  test('is owed what the others got, and gets it when it is back', async () => {
    const { url } = bed.queues.splunk;
    const { sqs } = services.clients;
    const collect = bed.container();
    await sqs.send(new DeleteQueueCommand({ QueueUrl: url }));
    const report = await collect({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'caught-up', announced: 1, owed: { splunk: 1 } });
    expect(parseOutput(written).lines).toMatchObject([
      { level: 'WARN', destination: 'splunk', sequence: 1, reason: expect.stringContaining(url) },
      { level: 'INFO', outcome: 'caught-up' },
    ]);
    expect(await arrived('elastic')).toBe(wholeLog());

    await sqs.send(new CreateQueueCommand({ QueueName: url.slice(url.lastIndexOf('/') + 1) }));
    expect(await collect({}, lambdaContext())).toMatchObject({ events: 0, announced: 1 });
    expect(await arrived('splunk')).toBe(wholeLog());
    expect(await bed.receive('elastic')).toEqual([]);
  });
});

describe.runIf(onLoopback)('time', () => {
  test('that is short ends reading early, and the next run goes on', async () => {
    bed.env.ORGLOG_LIMIT = '50';
    // Six pages at 400 ms each; 1.7 s of the 3 s are for reading.
    bed.provider.faults.add({ kind: 'delay', delayMs: 400 }, { times: Infinity });
    const collect = bed.container();
    const first = await collect({}, lambdaContext(3_000));
    expect(first.outcome).toBe('time-up');
    expect(first.events).toBeGreaterThan(0);
    expect(first.events).toBeLessThan(300);
    expect(await bed.row()).not.toHaveProperty('lease');
    bed.provider.faults.clear();
    await collect({}, lambdaContext());
    expect(await arrived()).toBe(wholeLog());
  });

  test('that runs out before an answer comes ends the run, and its line is out', async () => {
    await wire.fail('UpdateItem', { kind: 'hang' }, ATTEMPTS);
    expect((await rejection(bed.container()({}, lambdaContext(800)))).code).toBe('time-out');
    expect(parseOutput(written).lines).toMatchObject([{ outcome: 'failed', error: { code: 'time-out' } }]);
  });

  test('beyond the lease is refused before anything is called', async () => {
    const error = await rejection(bed.container()({}, lambdaContext(290_000)));
    expect(error.code).toBe('configuration');
    expect(error.message).toMatch(/may go on for \d+ ms, but a lease lasts 280000 ms \(ORGLOG_LEASE_MS\)/);
    expect(bed.provider.requests).toEqual([]);
    expect((await wire.counts()).dynamodb?.UpdateItem).toBeUndefined();
  });
});

describe('an error that leaves the function', () => {
  test('is bare: no cause for Lambda to print', async () => {
    const env = { ...bed.env, ORGLOG_CURSOR_TABLE: 'orglog-there-is-none' };
    const error = await rejection(bed.container({ env, ports: { clock: IMPATIENT } })({}, lambdaContext()));
    expect(error.code).toBe('configuration');
    expect(error.message).toContain('orglog-there-is-none');
    expect(error.cause).toBeUndefined();
  });
});
