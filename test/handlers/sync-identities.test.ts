import { afterAll, describe, expect, test } from 'vitest';
import { pseudonymsOf } from '../../functions/adapters/pseudonyms.ts';
import { FETCHES_AT_ONCE } from '../../functions/core/identities/bounds.ts';
import { confirm } from '../../functions/core/identities/confirm.ts';
import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import { openSyncContainer } from '../../functions/handlers/sync-identities-container.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { scripted } from '../adapters/identities/bed.ts';
import { replaceSecret } from '../aws/resources.ts';
import { captureOutput } from './capture-output.ts';
import { lambdaContext, login, ORG_URL, parseOutput } from './collect-bed.ts';
import { AUTHORITY, KEY, openSyncBed } from './sync-bed.ts';

const services = await awsSuite();
const written = captureOutput();
/** Each run of it is due. */
const DUE = { settings: { everyMs: 0 } };

function counted(events: readonly FeedEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { action } of events) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

test('asks about as many identities at once as a walk does', async () => {
  await using bed = await openSyncBed(services);
  const all = Promise.withResolvers<void>();
  let asked = 0;
  await using server = await scripted([() => ++asked === FETCHES_AT_ONCE && all.resolve()]);
  const { ports } = openSyncContainer({ env: { ...bed.env, ORGLOG_BASE_URL: server.origin } });
  const stop = new AbortController();
  const lost = Array.from({ length: 2 * FETCHES_AT_ONCE }, (_, i) => `u${i}`);
  const confirmation = confirm(lost, ports.source, stop.signal);
  await all.promise;
  stop.abort();
  expect((await confirmation).answers.size).toBe(0);
  expect(asked).toBe(FETCHES_AT_ONCE);
});

/** One organization, run after run, each test going on where the one before ended. */
describe('the sync function', async () => {
  const bed = await openSyncBed(services);
  afterAll(() => bed[Symbol.asyncDispose]());
  const { org, provider } = bed;
  const records = () => [...provider.identities.all(ORG_URL, 'prod')];
  const sync = bed.container();
  const environment = { environment: 'prod' } as const;
  provider.identities.seed(ORG_URL, { ...environment, count: 230, seed: 1 });

  test('tells every record at first, with its collections, and says how old that snapshot is', async () => {
    const report = await sync({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'complete', walk: 1, identities: 230, events: 230, batches: 1 });
    expect(report.byAction).toEqual({ 'identity.snapshot': 230 });
    const { metrics, lines } = parseOutput(written);
    expect(metrics).toMatchObject([{ org, environment: 'prod', snapshotAgeSeconds: expect.any(Number) }]);
    expect(metrics[0]).toHaveProperty('_aws.CloudWatchMetrics.0.Dimensions', [['org', 'environment']]);
    expect(lines).toMatchObject([{ level: 'INFO', org, environment: 'prod', outcome: 'complete', walk: 1 }]);

    const { keys, events } = await bed.receive();
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatch(
      /^identities\/org=institution-[0-9a-f]{8}\/env=prod\/dt=\d{4}-\d\d-\d\d\/[a-z0-9]{6}-0{11}1\.ndjson\.gz$/,
    );
    const told = new Map(events.map(({ serviceUid, identity }) => [serviceUid, identity]));
    for (const { attributeCollections, ...base } of records()) {
      const shared = attributeCollections?.filter((one) => one.attributeCollectionAuthority === AUTHORITY);
      expect(told.get(base.serviceUid)).toEqual({ ...base, attributeCollections: shared });
    }
    expect(told.size).toBe(230);
  });

  test('leaves with one read of its row when nothing is due', async () => {
    const before = provider.requests.length;
    await services.wire.reset();
    expect(await sync({}, lambdaContext())).toMatchObject({ outcome: 'not-due', walk: 1, pages: 0 });
    expect(provider.requests.length).toBe(before);
    expect(await services.wire.counts()).toEqual({ dynamodb: { GetItem: 1 } });
    const { metrics, lines } = parseOutput(written);
    expect([metrics.length, lines.length]).toEqual([1, 1]);
    expect((await bed.row())?.lease).toBeUndefined();
  });

  test('tells what changed since, and nothing else', async () => {
    const [first, second] = records();
    provider.identities.remove(ORG_URL, first?.serviceUid ?? '');
    provider.identities.seed(ORG_URL, { ...environment, count: 2, seed: 2 });
    const report = await bed.container(DUE)({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'complete', walk: 2, identities: 231, unconfirmed: 0 });
    const { keys, events } = await bed.receive();
    expect(keys).toHaveLength(1);
    expect(counted(events)).toMatchObject({ 'identity.created': 2, 'identity.removed': 1 });
    expect(new Set(events.map(({ serviceUid }) => serviceUid))).not.toContain(second?.serviceUid);
    expect(await bed.container(DUE)({}, lambdaContext())).toMatchObject({ outcome: 'complete', events: 0 });
    expect((await bed.receive()).keys).toEqual([]);
  });

  test('reports a refusal as an error, once, and counts it; nothing is taken for removed', async () => {
    const before = await bed.row();
    bed.credential.password = 'another';
    await expect(bed.container(DUE)({}, lambdaContext())).rejects.toMatchObject({ code: 'not-authorized' });
    const { metrics, lines } = parseOutput(written);
    expect(metrics).toMatchObject([{ org, identitiesRefused: 1, snapshotAgeSeconds: expect.any(Number) }]);
    expect(lines).toMatchObject([
      { level: 'ERROR', outcome: 'failed', walk: 3, error: { code: 'not-authorized' } },
    ]);
    expect(written.join('\n')).not.toContain('correct horse');
    expect((await bed.row())?.sequence).toBe(before?.sequence);
    expect((await bed.row())?.lease).toBeUndefined();

    await replaceSecret(services, bed.secretId, login(bed.credential));
    expect(await bed.container(DUE)({}, lambdaContext())).toMatchObject({ outcome: 'complete', events: 0 });
  });

  test('refuses a faulty environment, and a lease that ends before it, at every invocation', async () => {
    const faulty = bed.container({ env: { ...bed.env, ORGLOG_ENVIRONMENT: 'stage' } });
    const expired = bed.container({ env: { ...bed.env, ORGLOG_LEASE_MS: '200000' } });
    for (let times = 0; times < 2; times += 1) {
      await expect(faulty({}, lambdaContext())).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringContaining('ORGLOG_ENVIRONMENT is "stage": expected test or prod'),
      });
      await expect(expired({}, lambdaContext(240_000))).rejects.toThrow(/make the time-out shorter/);
    }
  });
});

describe('where values are redacted', async () => {
  const bed = await openSyncBed(services, ['mail']);
  afterAll(() => bed[Symbol.asyncDispose]());
  const { provider } = bed;
  provider.identities.seed(ORG_URL, { environment: 'prod', count: 60, seed: 3 });

  test('they leave as pseudonyms, the same from walk to walk', async () => {
    const report = await bed.container()({}, lambdaContext());
    expect(report).toMatchObject({ outcome: 'complete', events: 60 });
    const { events } = await bed.receive();
    const { pseudonym } = pseudonymsOf(KEY);
    const told = new Map(events.map(({ serviceUid, identity }) => [serviceUid, identity.mail]));
    const mails = [...provider.identities.all(ORG_URL, 'prod')].map(({ serviceUid, mail }) => {
      expect(told.get(serviceUid)).toBe(mail ? pseudonym(mail) : mail);
      return mail;
    });
    const text = JSON.stringify(events);
    for (const mail of mails) expect(text).not.toContain(mail);
    expect(await bed.container(DUE)({}, lambdaContext())).toMatchObject({ outcome: 'complete', events: 0 });
  });

  test('the key is read once for all runs of a container', async () => {
    await services.wire.reset();
    const sync = bed.container();
    for (let times = 0; times < 3; times += 1) await sync({}, lambdaContext());
    expect(await services.wire.counts()).toEqual({
      dynamodb: { GetItem: 3 },
      secretsmanager: { GetSecretValue: 1 },
    });
  });

  test('nothing is read without the key, and the line says what to do', async () => {
    const { ORGLOG_PSEUDONYM_SECRET_ID: secretId = '' } = bed.env;
    await replaceSecret(services, secretId, 'too short');
    const asked = provider.requests.length;
    await expect(bed.container(DUE)({}, lambdaContext())).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/holds no key for pseudonyms .*AWSPREVIOUS/),
    });
    expect(provider.requests.length).toBe(asked);
    const { metrics, lines } = parseOutput(written);
    expect(metrics).toEqual([]);
    expect(lines).toMatchObject([{ level: 'ERROR', outcome: 'failed', error: { code: 'configuration' } }]);
    expect(written.join('\n')).not.toContain('too short');
  });
});
