import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeHandler } from '../../functions/handlers/deliver-elastic.ts';
import { type Elasticsearch, startElasticsearch } from '../../local/sinks/elasticsearch.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { captureOutput } from './capture-output.ts';
import { IMPATIENT, parseOutput } from './collect-bed.ts';
import { createLedgerTable, DESTINATION, type DeliverBed, openDeliverBed } from './deliver-bed.ts';

const STREAM = 'logs-orglog.events-default';
const services = await awsSuite();
const table = await createLedgerTable(services);
const written = captureOutput();
let bed: DeliverBed;
let elastic: Elasticsearch;
beforeEach(async () => {
  elastic = await startElasticsearch({
    credentials: [{ apiKey: 'c2VjcmV0' }, { username: 'orglog', password: 'bättery' }],
  });
  bed = await openDeliverBed(services, { apiKey: 'c2VjcmV0' }, table);
  bed.env.ORGLOG_SINK_URL = elastic.url;
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await elastic.close();
});

const container = () => makeHandler({ env: bed.env, ports: { clock: IMPATIENT } });

function lines(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      logType: 'authentication',
      logSubtype: 'success',
      timeStampISO: '2026-01-02T03:04:05Z',
      clientIP: '192.0.2.7',
      logData: { at, text: 'x'.repeat(200) },
    }),
  );
}

function originals(): string[] {
  return elastic
    .documents(STREAM)
    .map(({ source }) => JSON.parse(source).event.original as string)
    .sort();
}

describe('the function that delivers to Elasticsearch', () => {
  test('brings every event once, whatever answers are lost', async () => {
    await bed.announce(lines(9_000));
    await bed.announce(lines(10));
    elastic.faults.add({ kind: 'reset', takesEffect: true });
    expect((await bed.invoke(container())).batchItemFailures).toStrictEqual([]);
    expect(originals()).toStrictEqual([...lines(9_000), ...lines(10)].sort());
    expect(parseOutput(written).metrics).toMatchObject([{ destination: DESTINATION, delivered: 9_010 }]);
  });

  test('brings the identity feed to a data stream of its own, beside the log', async () => {
    const line = JSON.stringify({
      action: 'identity.removed',
      timeStampISO: '2026-01-02T03:04:05Z',
      serviceUid: 'a1',
      identity: { serviceUid: 'a1', mail: 'rosa.costa@institution.edu' },
    });
    await bed.announce(lines(3));
    const key = await bed.announce([line], 'identities/org=institution/env=prod');
    expect((await bed.invoke(container())).batchItemFailures).toStrictEqual([]);
    expect(originals()).toStrictEqual(lines(3));
    const [document, ...more] = elastic.documents('logs-orglog.identities-default');
    expect(more).toStrictEqual([]);
    expect(document?.id).toMatch(/^institution:identities:[a-z0-9]+:\d+:1$/);
    expect(JSON.parse(document?.source ?? '')).toMatchObject({
      event: { action: 'identity.removed', type: ['user', 'deletion'], original: line },
      user: { id: 'a1', email: 'rosa.costa@institution.edu' },
    });
    expect(await bed.row(key)).toMatchObject({ lines: 1, done: true });
  });

  test('sends again only the items that failed', async () => {
    await bed.announce(lines(10));
    elastic.faults.add({
      kind: 'items',
      failing: (_, position) =>
        position % 3 === 0 ? { status: 429, error: { type: 'es_rejected', reason: 'busy' } } : undefined,
    });
    await bed.invoke(container());
    expect(originals()).toStrictEqual(lines(10).sort());
    expect(elastic.requests).toHaveLength(2);
    expect(elastic.requests[1]?.bytes).toBeLessThan(elastic.requests[0]?.bytes ?? 0);
  });

  test('lays a refused event aside and delivers the others', async () => {
    const key = await bed.announce(lines(10_000));
    elastic.faults.add(
      {
        kind: 'items',
        failing: ({ id }) =>
          id?.endsWith(':4712')
            ? { status: 400, error: { type: 'document_parsing_exception', reason: 'field [x] of 192.0.2.7' } }
            : undefined,
      },
      { times: Infinity },
    );
    await bed.invoke(container());
    expect(originals()).toHaveLength(9_999);
    expect(await bed.rejected()).toMatchObject([
      {
        entry: {
          object: key,
          line: 4_712,
          event: lines(10_000)[4_711],
          detail: 'field [x] of 192.0.2.7',
          reason: 'Elasticsearch answered 400 Bad Request to an event (document_parsing_exception)',
        },
      },
    ]);
    expect(parseOutput(written).metrics).toMatchObject([{ delivered: 9_999, rejected: 1 }]);
    expect(written.join('\n')).not.toContain('192.0.2.7');
  });

  test('stops where an item tells of a missing privilege', async () => {
    await bed.announce(lines(10));
    elastic.faults.add({
      kind: 'items',
      failing: () => ({ status: 403, error: { type: 'security_exception', reason: 'no' } }),
    });
    const { batchItemFailures } = await bed.invoke(container());
    expect(batchItemFailures).toHaveLength(1);
    expect(elastic.requests).toHaveLength(1);
    expect(parseOutput(written).metrics).toMatchObject([{ configuration: 1 }]);
  });

  test('takes a user’s name and password too', async () => {
    const other = await openDeliverBed(services, { username: 'orglog', password: 'bättery' }, table);
    await using _ = other;
    await other.announce(lines(3));
    const handler = makeHandler({ env: { ...other.env, ORGLOG_SINK_URL: elastic.url } });
    expect((await other.invoke(handler)).batchItemFailures).toStrictEqual([]);
    expect(originals()).toHaveLength(3);
  });
});
