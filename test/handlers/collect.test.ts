import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, test } from 'vitest';
import { objectKey } from '../../functions/core/keys.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { captureOutput } from './capture-output.ts';
import { DESTINATIONS, IMPATIENT, lambdaContext, ORG_URL, openBed, parseOutput } from './collect-bed.ts';

const services = await awsSuite();
const bed = await openBed(services);
afterAll(() => bed[Symbol.asyncDispose]());
const { org, provider } = bed;
const written = captureOutput();

/** Less than what one page of 500 events makes. */
const BATCH_BYTES = 20_000;
bed.env.ORGLOG_LIMIT = '500';
const collect = bed.container({ settings: { batchBytes: BATCH_BYTES } });

/** One container, run after run, each test going on where the one before ended. */
describe('the collect function', () => {
  test('brings a backlog of many pages and batches whole to every queue', async () => {
    bed.produce(4_300);
    const report = await collect({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'caught-up', events: 4_300, pages: 9, drift: 0 });
    expect(Object.values(report.owed).filter((owed) => owed > 0)).toEqual([]);
    expect(report.batches).toBeGreaterThan(3);
    const { metrics, lines } = parseOutput(written);
    expect(metrics).toMatchObject([{ org, behindSeconds: 0 }]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      org,
      outcome: 'caught-up',
      events: 4_300,
      sequence: report.batches,
    });

    const row = await bed.row();
    const expected = `${[...provider.lines(ORG_URL)].join('\n')}\n`;
    for (const destination of DESTINATIONS) {
      const messages = await bed.receive(destination);
      expect(messages).toHaveLength(report.batches);
      for (const [index, { key }] of messages.entries()) {
        expect(key).toMatch(
          /^logs\/org%3Dinstitution-[0-9a-f]{8}\/dt%3D\d{4}-\d\d-\d\d\/[a-z0-9]{6}-\d{12}\.ndjson\.gz$/,
        );
        expect(decodeURIComponent(key)).toBe(row && objectKey(row, index + 1));
      }
      let text = '';
      for (const { key, body } of messages) {
        text += await bed.read(key);
        const object = await services.clients.s3.send(
          new HeadObjectCommand({ Bucket: bed.bucket, Key: decodeURIComponent(key) }),
        );
        expect(object.ContentType).toBe('application/x-ndjson');
        expect(object.ContentEncoding).toBeUndefined();
        const { Metadata: metadata = {} } = object;
        expect(Object.keys(metadata).sort()).toEqual(
          ['bytes', 'count', 'end', 'event-time', 'first', 'last', 'rereads']
            .concat(messages[0]?.key === key ? [] : ['start'])
            .sort(),
        );
        expect(body).toBe(
          `{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","awsRegion":"${services.region}","eventTime":"${metadata['event-time']}","eventName":"ObjectCreated:Put","s3":{"s3SchemaVersion":"1.0","configurationId":"orglog","bucket":{"name":"${bed.bucket}","arn":"arn:aws:s3:::${bed.bucket}"},"object":{"key":"${key}","size":${object.ContentLength},"eTag":"${object.ETag?.replaceAll('"', '')}"}}}]}`,
        );
        expect(metadata['event-time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
      expect(text === expected, `${destination} has every event, in order`).toBe(true);
    }
    expect(row).toMatchObject({ sequence: report.batches, caughtUp: true, gaps: [] });
    expect(row?.lease).toBeUndefined();
  });

  test('idles when there is nothing new', async () => {
    const before = await bed.row();
    const report = await collect({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'caught-up', events: 0, pages: 1, batches: 0, announced: 0 });
    const after = await bed.row();
    expect(after).toMatchObject({ sequence: before?.sequence, token: before?.token });
    expect(await bed.receive('splunk')).toEqual([]);
    expect(parseOutput(written).lines).toHaveLength(1);
  });

  test('leaves without a read when it comes too soon', async () => {
    const { ORGLOG_MIN_INTERVAL_MS: _, ...env } = bed.env;
    const reads = provider.requests.length;
    expect(await bed.container({ env })({}, lambdaContext())).toMatchObject({ outcome: 'too-soon' });
    expect(provider.requests).toHaveLength(reads);
  });

  test('goes on where another container left off', async () => {
    const known = provider.count(ORG_URL);
    bed.produce(700, 1);
    await bed.container()({}, lambdaContext());
    const [message, ...more] = await bed.receive('splunk');
    expect(more).toEqual([]);
    const fresh = [...provider.lines(ORG_URL)].slice(known);
    expect(await bed.read(message?.key ?? '')).toBe(`${fresh.join('\n')}\n`);
  });

  test('asks only for what its filters let through', async () => {
    const env = { ...bed.env, ORGLOG_ORG: 'bridge-only', ORGLOG_FILTERS: '{"service":"bridge"}' };
    const { events } = await bed.container({ env })({}, lambdaContext());
    const matching = [...provider.lines(ORG_URL)].filter((line) => JSON.parse(line).service === 'bridge');
    expect(events).toBe(matching.length);
    expect(events).toBeGreaterThan(0);
    await bed.receive('splunk');
  });

  test('that finds another run at work leaves quietly, and counts it', async () => {
    const started = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    // The provider asks for a pause: meanwhile the lease is held.
    const sleep = async () => {
      started.resolve();
      await go.promise;
    };
    const held = bed.container({ ports: { clock: { now: Date.now, sleep } } });
    provider.faults.add({ kind: 'status', status: 503 });
    const first = held({}, lambdaContext());
    await started.promise;
    expect(await collect({}, lambdaContext())).toMatchObject({ outcome: 'busy', pages: 0 });
    expect(parseOutput(written).lines.filter(({ outcome }) => outcome === 'busy')).toHaveLength(1);
    go.resolve();
    expect(await first).toMatchObject({ outcome: 'caught-up', providerErrors: { '503': 1 } });
  });

  test('never writes a secret, a token or an event', async () => {
    bed.produce(20, 1);
    provider.faults.add({ kind: 'status', status: 500, body: 'the token was rejected' });
    provider.faults.add({ kind: 'cut-body' });
    await bed.container({ ports: { clock: IMPATIENT } })({}, lambdaContext());
    await bed.receive('splunk');
    expect(parseOutput(written).lines.length).toBeGreaterThan(1);
    const all = written.join('\n');
    const tokens = provider.requests
      .map(({ query }) => query.nextToken)
      .filter((token) => token !== undefined);
    expect(tokens.length).toBeGreaterThan(5);
    const { username, password } = bed.credentials[0] ?? { username: '', password: '' };
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const event = JSON.parse([...provider.lines(ORG_URL)].at(-1) ?? '{}');
    for (const secret of [...tokens, password, basic, event.correlationId, event.clientIP]) {
      expect(all).not.toContain(secret);
    }
  });
});
