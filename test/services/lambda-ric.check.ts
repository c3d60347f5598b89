import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Elasticsearch, startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { eventSource } from '../artefact/event-source.ts';
import { findFunction, only, referringTo, scheduledEvent } from '../artefact/functions.ts';
import { deployInstitution, type Institution } from '../artefact/institution.ts';
import { startOnRic } from './ric-container.ts';

const entry = process.env.ORGLOG_TEST_LAMBDA_RIC ?? '';
const TOKEN = '5c9ee7b2-0a3f-4a39-9f3b-5c1b3d7f8e21';
const STREAM = 'logs-orglog.events-campus';
const EVENTS = 500;

const services = await awsSuite();
const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
let institution: Institution;
let hec: SplunkHec;
let elasticsearch: Elasticsearch;

beforeAll(async () => {
  hec = opened.use(await startSplunkHec({ tokens: [{ token: TOKEN }] }));
  elasticsearch = opened.use(await startElasticsearch({}));
  institution = opened.use(
    await deployInstitution(services, {
      splunk: { url: hec.url },
      elastic: { url: elasticsearch.url, dataStream: STREAM },
    }),
  );
});

test('the collect function reports an error, then a result, through Amazon’s runtime client', async () => {
  const { deployment } = institution;
  const fn = findFunction(deployment, { handler: 'collect.handler' });
  const schedule = only(referringTo(deployment, fn, 'AWS::Scheduler::Schedule', 'Target'));
  await using container = await startOnRic(entry, deployment, fn);
  institution.produce(EVENTS, 50);
  institution.accept('a password');
  await institution.store('another');
  expect(await container.invoke(await scheduledEvent(deployment, schedule))).toMatchObject({
    outcome: { kind: 'error', error: { errorType: 'OrglogError' } },
  });
  await institution.store('a password');
  expect(await container.invoke(await scheduledEvent(deployment, schedule))).toMatchObject({
    outcome: { kind: 'response', body: { outcome: 'caught-up', events: EVENTS, batches: 1 } },
  });
});

test.each(['splunk', 'elastic'] as const)(
  'the function for %s names what failed, then delivers',
  async (id) => {
    const { deployment } = institution;
    const fn = findFunction(deployment, { handler: `deliver-${id}.handler` });
    await using container = await startOnRic(entry, deployment, fn);
    const source = await eventSource(deployment, fn);
    const { failed } = await source.poll(container);
    expect(failed).toStrictEqual(await institution.archived());
    await institution.storeSinks(id, id === 'splunk' ? { token: TOKEN } : { apiKey: 'b3JnbG9n' });
    await source.showAgain();
    expect(await source.poll(container)).toMatchObject({ failed: [], outcome: { kind: 'response' } });
    expect(await source.waiting()).toBe(0);
    const arrived = id === 'splunk' ? hec.events.length : elasticsearch.documents(STREAM).length;
    expect(arrived).toBe(EVENTS);
  },
);
