import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DELIVERED_OBJECT } from '../../infra/cost/counted.ts';
import { type Elasticsearch, startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { onLoopback } from '../aws/services.ts';
import type { WireCounts } from '../aws/wire.ts';
import { parseOutput } from '../handlers/collect-bed.ts';
import type { Container } from '../runtime/container.ts';
import { type EventSource, eventSource, type Polled } from './event-source.ts';
import {
  actionsOf,
  configurationOf,
  findFunction,
  only,
  referringTo,
  scheduledEvent,
  startFunction,
} from './functions.ts';
import { deployInstitution, type Institution } from './institution.ts';

const services = await awsSuite();
const { wire } = services;

const TOKEN = '5c9ee7b2-0a3f-4a39-9f3b-5c1b3d7f8e21';
const API_KEY = Buffer.from('orglog:of-the-tests').toString('base64');
/** A run's worth at 1 M events a day. */
const BUSY = 3_473;
const STREAM = 'logs-orglog.events-campus';

/** The templates' own functions, from the provider to both sinks: each test goes on where the one before ended. */
describe.runIf(onLoopback)('the deliver functions as they would be deployed', () => {
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  let hec: SplunkHec;
  let elasticsearch: Elasticsearch;
  let institution: Institution;
  let collect: () => Promise<void>;
  const written: string[] = [];

  beforeAll(async () => {
    const token = { token: TOKEN, indexes: ['signins'], acknowledges: true };
    hec = opened.use(await startSplunkHec({ tokens: [token] }));
    elasticsearch = opened.use(
      await startElasticsearch({ credentials: [{ apiKey: API_KEY, mayWrite: [STREAM] }] }),
    );
    institution = opened.use(
      await deployInstitution(services, {
        splunk: { url: hec.url, index: 'signins', acknowledge: true },
        elastic: { url: elasticsearch.url, dataStream: STREAM },
      }),
    );
    const { deployment } = institution;
    institution.accept('a password');
    await institution.store('a password');
    const fn = findFunction(deployment, { handler: 'collect.handler' });
    const schedule = only(referringTo(deployment, fn, 'AWS::Scheduler::Schedule', 'Target'));
    const collector = opened.use(await startFunction(deployment, fn));
    collect = async () => {
      const { outcome } = await collector.invoke(await scheduledEvent(deployment, schedule));
      expect(outcome).toMatchObject({ kind: 'response', body: { outcome: 'caught-up' } });
    };
  });

  /** A function with its queue. */
  async function open(kind: 'splunk' | 'elastic') {
    const { deployment } = institution;
    const fn = findFunction(deployment, { handler: `deliver-${kind}.handler` });
    const allowed = actionsOf(deployment, fn);
    const { memoryMb } = await configurationOf(deployment, fn);
    const container: Container = opened.use(await startFunction(deployment, fn));
    const source: EventSource = await eventSource(deployment, fn);
    return {
      ...source,
      /** A batch, and what the function asked of AWS for it. */
      async poll(): Promise<Polled & { readonly counts: WireCounts }> {
        await wire.reset();
        const polled = await source.poll(container);
        const { sqs = {}, ...counts } = await wire.counts();
        written.push(...polled.stdout, ...polled.stderr, JSON.stringify(polled.outcome));
        expect(polled.outcome.kind).toBe('response');
        expect(polled.maxMemoryMb).toBeLessThan(memoryMb);
        for (const [service, operations] of Object.entries({ ...counts, sqs })) {
          for (const operation of Object.keys(operations))
            expect(allowed).toContain(`${service}:${operation}`);
        }
        return { ...polled, counts };
      },
    };
  }
  let splunk: Awaited<ReturnType<typeof open>>;
  let elastic: Awaited<ReturnType<typeof open>>;

  const lines = () => institution.log().trimEnd().split('\n').sort();
  /** By identifier: Splunk has indexed what stands before an event that it refuses, and is sent it once more. */
  const inSplunk = () =>
    [...new Map(hec.events.map(({ event, fields }) => [fields.event_id, event])).values()].sort();
  const inElastic = () =>
    elasticsearch
      .documents(STREAM)
      .map(({ source }): string => JSON.parse(source).event.original)
      .sort();
  /** Without the difference of thousands of lines where there is one. */
  function expectSame(arrived: readonly string[], sent: readonly string[]): void {
    expect(arrived).toHaveLength(sent.length);
    expect(arrived.join('\n') === sent.join('\n'), 'every event, exactly').toBe(true);
  }

  test('wait for their secrets: nothing is sent, and nothing is lost', async () => {
    institution.produce(BUSY, 50);
    await collect();
    [splunk, elastic] = [await open('splunk'), await open('elastic')];
    for (const { poll } of [splunk, elastic]) {
      const { failed, stdout, stderr } = await poll();
      expect(failed).toStrictEqual(await institution.archived());
      const { metrics, lines } = parseOutput([...stdout, ...stderr]);
      expect(metrics).toMatchObject([{ configuration: 1 }]);
      expect(metrics[0]).toHaveProperty('_aws.CloudWatchMetrics.0.Namespace', 'orglog');
      expect(lines.at(-1)).toMatchObject({ level: 'ERROR', failures: [{ kind: 'configuration' }] });
    }
    expect([hec.requests.length, elasticsearch.requests.length]).toStrictEqual([0, 0]);
  });

  test('bring every event to both sinks once the secrets are stored', async () => {
    await institution.storeSinks('splunk', { token: TOKEN });
    await institution.storeSinks('elastic', { apiKey: API_KEY });
    for (const [id, { poll, showAgain, waiting }] of Object.entries({ splunk, elastic })) {
      await showAgain();
      const { failed, messages, counts, stdout } = await poll();
      expect([failed, messages.size, await waiting()]).toStrictEqual([[], 1, 0]);
      expect(parseOutput(stdout).metrics).toMatchObject([{ destination: id, delivered: BUSY }]);
      const { requests } = parseOutput(stdout).lines.at(-1) ?? {};
      expect(counts).toStrictEqual({
        ...DELIVERED_OBJECT,
        dynamodb: { ...DELIVERED_OBJECT.dynamodb, UpdateItem: requests },
        secretsmanager: { GetSecretValue: 1 },
      });
      expect(requests).toBeLessThanOrEqual(DELIVERED_OBJECT.dynamodb.UpdateItem);
    }
    expectSame(inSplunk(), lines());
    expectSame(inElastic(), lines());
    for (const { index, sourcetype, fields } of hec.events.slice(0, 3)) {
      expect({ index, sourcetype }).toStrictEqual({ index: 'signins', sourcetype: 'orglog:event' });
      expect(fields.event_id).toMatch(/^"institution:logs:[a-z0-9]+:1:\d+"$/);
    }
  });

  test('name the one message that failed, and it alone comes again', async () => {
    for (const count of [300, 200, 100]) {
      await institution.aPeriodLater();
      institution.produce(count, 1);
      await collect();
    }
    const [, , troubled] = await institution.archived();
    elasticsearch.faults.add(
      {
        kind: 'items',
        failing: ({ id }) =>
          /:3:\d+$/.test(id ?? '')
            ? { status: 503, error: { type: 'unavailable_shards_exception', reason: 'not active' } }
            : undefined,
      },
      { times: Infinity },
    );
    const first = await elastic.poll();
    expect([first.messages.size, first.failed]).toStrictEqual([3, [troubled]]);
    expect(parseOutput(first.stdout).metrics).toMatchObject([{ delivered: 400, retried: 1 }]);
    expect(await elastic.waiting()).toBe(1);

    elasticsearch.faults.clear();
    await elastic.showAgain();
    const second = await elastic.poll();
    expect([[...second.messages.values()], second.failed]).toStrictEqual([[troubled], []]);
    expect(await elastic.waiting()).toBe(0);
    expectSame(inElastic(), lines());
  });

  test('lay a refused event aside with its reason, and deliver all others', async () => {
    const arrived = new Set(inSplunk());
    const poison = lines().find((line) => !arrived.has(line)) ?? '';
    hec.faults.add({ kind: 'refuse', code: 12, which: ({ event }) => event === poison }, { times: Infinity });
    const before = await institution.archived();
    const { failed, stdout, stderr } = await splunk.poll();
    expect([failed, await splunk.waiting()]).toStrictEqual([[], 0]);
    expect(parseOutput([...stdout, ...stderr]).metrics).toMatchObject([{ delivered: 599, rejected: 1 }]);
    expectSame([...inSplunk(), poison].sort(), lines());

    const refused = (await institution.archived()).filter((key) => !before.includes(key));
    expect(refused).toStrictEqual([
      expect.stringMatching(/^rejected\/splunk\/logs\/org=institution\/.*-\d+\.ndjson$/),
    ]);
    expect(JSON.parse(await institution.read(refused))).toMatchObject({
      destination: 'splunk',
      event: poison,
      reason: expect.stringMatching(/code 12/),
    });
  });

  test('wrote no credential and no event', () => {
    const all = written.join('\n');
    const inside = lines()
      .slice(-10)
      .map((line): string => JSON.parse(line).correlationId);
    for (const secret of [TOKEN, API_KEY, ...inside]) expect(all).not.toContain(secret);
    expect(written.length).toBeGreaterThan(10);
  });
});
