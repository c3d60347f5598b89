import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsSuite } from '../adapters/aws-suite.ts';
import { onLoopback } from '../aws/services.ts';
import type { WireCounts } from '../aws/wire.ts';
import { parseOutput } from '../handlers/collect-bed.ts';
import type { Container, Invoked } from '../runtime/container.ts';
import type { Resource } from './deployment.ts';
import {
  actionsOf,
  configurationOf,
  findFunction,
  only,
  referringTo,
  scheduledEvent,
  startFunction,
} from './functions.ts';
import { DESTINATIONS, deployInstitution, type Institution } from './institution.ts';

const services = await awsSuite();
const { wire } = services;

const PASSWORD = 'correct horse: bättery';
const ROTATED = 'the next one: ünseen';

/** The templates' own collect function, one container, run after run: each test goes on where the one before ended. */
describe.runIf(onLoopback)('the collect function as it would be deployed', () => {
  let institution: Institution;
  let collect: Resource;
  let schedule: Resource;
  let container: Container;
  const opened = new AsyncDisposableStack();
  afterAll(() => opened.disposeAsync());
  /** All that was ever written or answered. */
  const written: string[] = [];

  beforeAll(async () => {
    institution = opened.use(await deployInstitution(services));
    const { deployment } = institution;
    collect = findFunction(deployment, { handler: 'collect.handler' });
    schedule = only(referringTo(deployment, collect, 'AWS::Scheduler::Schedule', 'Target'));
    container = opened.use(await startFunction(deployment, collect));
    institution.accept(PASSWORD);
    await institution.store(PASSWORD);
  });

  /** As the schedule does it: what it sends, once. */
  async function run(): Promise<Invoked & { readonly asked: number; readonly counts: WireCounts }> {
    const before = institution.provider.requests.length;
    await wire.reset();
    const invoked = await container.invoke(await scheduledEvent(institution.deployment, schedule));
    written.push(...invoked.stdout, ...invoked.stderr, JSON.stringify(invoked.outcome));
    const asked = institution.provider.requests.length - before;
    return { ...invoked, asked, counts: await wire.counts() };
  }

  async function expectEverythingToHaveArrived(objects: number): Promise<void> {
    const keys = await institution.archived();
    expect(keys).toHaveLength(objects);
    expect((await institution.read(keys)) === institution.log(), 'every event, in order').toBe(true);
  }

  test('brings a log of several thousand events to the archive and to every queue', async () => {
    institution.produce(4_300, 50);
    const { outcome, stdout, stderr, maxMemoryMb, asked, counts } = await run();
    expect(outcome).toMatchObject({
      kind: 'response',
      body: { outcome: 'caught-up', events: 4_300, batches: 1, drift: 0, owed: { splunk: 0, elastic: 0 } },
    });
    expect(asked).toBe(5);
    const { metrics, lines } = parseOutput(stdout);
    expect(metrics).toMatchObject([{ org: 'institution', behindSeconds: 0 }]);
    expect(metrics[0]).toHaveProperty('_aws.CloudWatchMetrics.0.Namespace', 'orglog');
    expect(lines).toMatchObject([{ level: 'INFO', org: 'institution', events: 4_300, sequence: 1 }]);
    expect(stderr).toEqual([]);

    await expectEverythingToHaveArrived(1);
    for (const destination of DESTINATIONS) {
      expect(await institution.announced(destination)).toEqual(await institution.archived());
    }
    const { memoryMb } = await configurationOf(institution.deployment, collect);
    expect(maxMemoryMb).toBeLessThan(memoryMb);
    expect(calls(counts)).toContain('s3:PutObject');
    const allowed = actionsOf(institution.deployment, collect);
    expect(calls(counts).filter((action) => !allowed.has(action))).toEqual([]);
  });

  test('leaves without a read when it comes too soon', async () => {
    const { outcome, asked } = await run();
    expect(outcome).toMatchObject({ kind: 'response', body: { outcome: 'too-soon' } });
    expect(asked).toBe(0);
  });

  test('idles at one GET and two DynamoDB writes', async () => {
    await institution.aPeriodLater();
    const { outcome, stdout, asked, counts } = await run();
    expect(outcome).toMatchObject({ kind: 'response', body: { outcome: 'caught-up', events: 0 } });
    expect([asked, counts]).toEqual([1, { dynamodb: { UpdateItem: 2 } }]);
    expect(parseOutput(stdout).metrics).toHaveLength(1);
  });

  test('reports refused credentials as an error, once, and says so in its log', async () => {
    await institution.aPeriodLater();
    institution.accept(ROTATED);
    institution.produce(700, 1);
    const { outcome, stdout, stderr, asked } = await run();
    expect(outcome).toMatchObject({
      kind: 'error',
      error: {
        errorType: 'OrglogError',
        errorMessage: expect.stringContaining('refuses the credential of institution'),
      },
    });
    expect(asked).toBe(2);
    expect(parseOutput(stdout).metrics).toMatchObject([{ org: 'institution', credentialsRefused: 1 }]);
    const ours = stderr.filter((line) => !line.startsWith('Invoke Error\t'));
    expect(parseOutput(ours).lines).toMatchObject([
      { level: 'ERROR', outcome: 'failed', error: { code: 'credentials-refused' } },
    ]);
  });

  test('goes on in the same container once the new password is stored', async () => {
    await institution.store(ROTATED);
    const { outcome } = await run();
    expect(outcome).toMatchObject({ kind: 'response', body: { outcome: 'caught-up', events: 700 } });
    await expectEverythingToHaveArrived(2);
    for (const destination of DESTINATIONS) {
      // The first message is still being worked on: the queue's visibility is the template's.
      expect(await institution.announced(destination)).toEqual((await institution.archived()).slice(1));
    }
  });

  test('wrote no password, token or event', () => {
    const { provider } = institution;
    const tokens = provider.requests.flatMap(({ query }) => query.nextToken ?? []);
    expect(tokens.length).toBeGreaterThan(5);
    const passwords = [PASSWORD, ROTATED].flatMap((password) => [
      password,
      Buffer.from(`collector:${password}`).toString('base64'),
    ]);
    const events = institution.log().trimEnd().split('\n').slice(-10);
    const inside = events.flatMap((line) => [JSON.parse(line).correlationId, JSON.parse(line).clientIP]);
    const all = written.join('\n');
    for (const secret of [...tokens, ...passwords, ...inside]) expect(all).not.toContain(secret);
  });

  test('is invoked once for each time of its schedule, whatever comes of it', async () => {
    const { deployment } = institution;
    expect(await deployment.property(schedule, 'State')).toBe('ENABLED');
    const retries = ['Target', 'RetryPolicy', 'MaximumRetryAttempts'] as const;
    expect(await deployment.property(schedule, ...retries)).toBe(0);
    const settings = only(referringTo(deployment, collect, 'AWS::Lambda::EventInvokeConfig', 'FunctionName'));
    expect(await deployment.property(settings, 'MaximumRetryAttempts')).toBe(0);
    const { timeoutSeconds, environment } = await configurationOf(deployment, collect);
    expect(timeoutSeconds * 1000).toBeLessThan(Number(environment.ORGLOG_LEASE_MS));
  });
});

/** Requests on the wire as the actions that IAM knows. */
function calls(counts: WireCounts): string[] {
  return Object.entries(counts)
    .flatMap(([service, operations]) => Object.keys(operations).map((operation) => `${service}:${operation}`))
    .map((call) => (call === 's3:HeadObject' ? 's3:GetObject' : call));
}
