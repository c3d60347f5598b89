import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedEvent } from '../../functions/core/identities/feed.ts';
import { awsSuite } from '../adapters/aws-suite.ts';
import { onLoopback } from '../aws/services.ts';
import type { WireCounts } from '../aws/wire.ts';
import { parseOutput } from '../handlers/collect-bed.ts';
import type { Container, Invoked } from '../runtime/container.ts';
import type { Resource } from './deployment.ts';
import { deployFollowed, type FollowedInstitution, ORG_URL } from './followed-institution.ts';
import {
  actionsOf,
  configurationOf,
  findFunction,
  only,
  referringTo,
  scheduledEvent,
  startFunction,
} from './functions.ts';

const services = await awsSuite();
const { wire } = services;

const PASSWORD = 'correct horse: bättery';
const ROTATED = 'the next one: ünseen';
const PEOPLE = 600;

/** The templates' own sync function, one container, tick after tick: each test goes on where the one before ended. */
describe.runIf(onLoopback)('the sync function as it would be deployed', () => {
  let institution: FollowedInstitution;
  let sync: Resource;
  let schedule: Resource;
  let container: Container;
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  /** All that was ever written or answered. */
  const written: string[] = [];
  /** What the feed told, object after object. */
  const told: FeedEvent[] = [];

  beforeAll(async () => {
    institution = opened.use(await deployFollowed(services, ['mail']));
    const { deployment, provider } = institution;
    sync = findFunction(deployment, { handler: 'sync-identities.handler' });
    schedule = only(referringTo(deployment, sync, 'AWS::Scheduler::Schedule', 'Target'));
    container = opened.use(await startFunction(deployment, sync));
    provider.identities.seed(ORG_URL, { environment: 'prod', count: PEOPLE, seed: 1 });
    institution.accept(PASSWORD);
    await institution.store(PASSWORD);
  });

  /** As the schedule does it: what it sends, once. */
  async function tick(): Promise<Invoked & { readonly asked: number; readonly counts: WireCounts }> {
    const before = institution.provider.requests.length;
    await wire.reset();
    const invoked = await container.invoke(await scheduledEvent(institution.deployment, schedule));
    written.push(...invoked.stdout, ...invoked.stderr, JSON.stringify(invoked.outcome));
    const asked = institution.provider.requests.length - before;
    return { ...invoked, asked, counts: await wire.counts() };
  }

  /** What the queue announces, and nothing else is in the archive. */
  async function hear(objects: number): Promise<FeedEvent[]> {
    const announced = await institution.announced();
    expect(announced).toHaveLength(1);
    expect(await institution.archived('identities/')).toHaveLength(objects);
    const events = await institution.read(announced);
    told.push(...events);
    return events;
  }

  test('ends its first walk with every record in the archive and in the queue', async () => {
    const { outcome, stdout, stderr, maxMemoryMb, counts } = await tick();
    expect(outcome).toMatchObject({
      kind: 'response',
      body: { outcome: 'complete', walk: 1, identities: PEOPLE, batches: 1, owed: { splunk: 0 } },
    });
    const { metrics, lines } = parseOutput(stdout);
    expect(metrics).toMatchObject([{ org: 'institution', environment: 'prod' }]);
    expect(metrics[0]).toHaveProperty('snapshotAgeSeconds');
    expect(lines).toMatchObject([{ level: 'INFO', org: 'institution', environment: 'prod', walk: 1 }]);
    expect(stderr).toEqual([]);

    const events = await hear(1);
    expect(events.map(({ action }) => action)).toEqual(Array(PEOPLE).fill('identity.snapshot'));
    const uids = [...institution.provider.identities.all(ORG_URL, 'prod')].map((one) => one.serviceUid);
    expect(new Set(events.map(({ serviceUid }) => serviceUid))).toEqual(new Set(uids));

    const { memoryMb } = await configurationOf(institution.deployment, sync);
    expect(maxMemoryMb).toBeLessThan(memoryMb);
    const allowed = actionsOf(institution.deployment, sync);
    expect(calls(counts)).toContain('s3:PutObject');
    expect(calls(counts).filter((action) => !allowed.has(action))).toEqual([]);
    expect(await institution.archived('logs/')).toEqual([]);
  });

  test('idles at one read of its row', async () => {
    const { outcome, stdout, asked, counts } = await tick();
    expect(outcome).toMatchObject({ kind: 'response', body: { outcome: 'not-due', walk: 1 } });
    expect([asked, counts]).toEqual([0, { dynamodb: { GetItem: 1 } }]);
    expect(parseOutput(stdout).metrics).toHaveLength(1);
  });

  test('tells a day later what changed, whose pseudonyms stayed the same', async () => {
    await institution.aDayLater();
    const { provider } = institution;
    const changes = provider.identities.change(ORG_URL, { environment: 'prod', count: 40, seed: 2 });
    expect(changes).toHaveLength(40);
    const { outcome, counts } = await tick();
    expect(outcome).toMatchObject({
      kind: 'response',
      body: { outcome: 'complete', walk: 2, unconfirmed: 0 },
    });
    const events = await hear(2);
    expect(events.length).toBeGreaterThan(20);
    expect(events.length).toBeLessThanOrEqual(80);
    expect(events.map(({ action }) => action)).not.toContain('identity.snapshot');
    const fields = events.flatMap(({ changes: changed = [] }) => changed.map(({ field }) => field));
    const renamed = events.filter(({ changes: changed = [] }) =>
      changed.some(({ field }) => field === 'mail'),
    );
    expect(fields.length).toBeGreaterThan(0);
    expect(renamed.length).toBeLessThan(events.length / 2);
    const allowed = actionsOf(institution.deployment, sync);
    expect(calls(counts).filter((action) => !allowed.has(action))).toEqual([]);
  });

  test('reports a refused credential as an error, and goes on once another is stored', async () => {
    await institution.aDayLater();
    institution.accept(ROTATED);
    const { outcome, stdout, stderr } = await tick();
    expect(outcome).toMatchObject({ kind: 'error', error: { errorType: 'OrglogError' } });
    expect(parseOutput(stdout).metrics).toMatchObject([{ org: 'institution', identitiesRefused: 1 }]);
    const ours = stderr.filter((line) => !line.startsWith('Invoke Error\t'));
    expect(parseOutput(ours).lines).toMatchObject([
      { level: 'ERROR', outcome: 'failed', error: { code: 'not-authorized' } },
    ]);
    await institution.store(ROTATED);
    expect((await tick()).outcome).toMatchObject({
      kind: 'response',
      body: { outcome: 'complete', walk: 3, events: 0 },
    });
  });

  test('wrote no password and no record, and no address left the account', () => {
    const passwords = [PASSWORD, ROTATED].flatMap((password) => [
      password,
      Buffer.from(`follower:${password}`).toString('base64'),
    ]);
    const people = [...institution.provider.identities.all(ORG_URL, 'prod')].slice(0, 200);
    const mails = people.flatMap(({ mail }) => mail ?? []);
    expect(mails.length).toBeGreaterThan(100);
    const lines = written.join('\n');
    for (const secret of [...passwords, ...mails, ...people.map((one) => one.serviceUid)]) {
      expect(lines).not.toContain(secret);
    }
    const addresses = told.flatMap(({ identity: { mail } }) => mail ?? []);
    expect(addresses.length).toBeGreaterThan(PEOPLE / 2);
    expect(addresses.filter((mail) => !/^hmac:[0-9a-f]{64}$/.test(mail))).toEqual([]);
  });

  test('is invoked once for each time of its schedule, whatever comes of it', async () => {
    const { deployment } = institution;
    expect(await deployment.property(schedule, 'State')).toBe('ENABLED');
    const retries = ['Target', 'RetryPolicy', 'MaximumRetryAttempts'] as const;
    expect(await deployment.property(schedule, ...retries)).toBe(0);
    const settings = only(referringTo(deployment, sync, 'AWS::Lambda::EventInvokeConfig', 'FunctionName'));
    expect(await deployment.property(settings, 'MaximumRetryAttempts')).toBe(0);
    const { timeoutSeconds, environment } = await configurationOf(deployment, sync);
    expect(timeoutSeconds * 1000).toBeLessThan(Number(environment.ORGLOG_LEASE_MS));
  });
});

/** Requests on the wire as the actions that IAM knows. */
function calls(counts: WireCounts): string[] {
  return Object.entries(counts)
    .flatMap(([service, operations]) => Object.keys(operations).map((operation) => `${service}:${operation}`))
    .map((call) => (call === 's3:HeadObject' ? 's3:GetObject' : call));
}
