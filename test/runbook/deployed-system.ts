import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { openAwsDeployment } from '../../functions/adapters/operator/deployment.ts';
import type { Deployment } from '../../functions/core/operate/ports.ts';
import { fullGrant } from '../../local/provider/identities/full-grant.ts';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { type HecToken, type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { synthesizeApp } from '../artefact/assembly.ts';
import { deploy } from '../artefact/deployment.ts';
import { operatorEnvironment } from '../artefact/operator.ts';
import type { Services } from '../aws/services.ts';
import { never } from '../contracts/support.ts';
import { destination, followed, pushDestination, settingsFile } from '../infra/settings-fixture.ts';
import { type AccountFunction, accountFunction, add, type FunctionKind } from './account-functions.ts';
import { CloudWatchAlarms, metricName, type Period } from './cloudwatch-alarms.ts';

export const ORG_URL = 'https://login.institution.edu/';
const PASSWORD = 'correct horse';
const TOKEN = '5c9ee7b2-0a3f-4a39-9f3b-5c1b3d7f8e21';
const ORGANIZATION = { orgUrl: ORG_URL, orgDomain: 'institution.edu' };
const MINUTE_MS = 60_000;
const QUEUES = ['orglog-splunk', 'orglog-splunk-dead', 'orglog-elastic', 'orglog-elastic-dead'];

/** What the templates deploy, at work: the runbook's `institution`, pushed to `splunk` and pulled from by `elastic`. */
export interface DeployedSystem extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly provider: Provider;
  readonly hec: SplunkHec;
  /** Of `orglog`. */
  readonly env: Readonly<Record<string, string>>;
  readonly services: Services;
  readonly alarms: CloudWatchAlarms;
  readonly functions: Readonly<Record<FunctionKind, AccountFunction>>;
  /** What the provider knows; members may be changed. */
  readonly credentials: {
    readonly log: { password: string };
    readonly identities: { password: string; identities: ReturnType<typeof fullGrant> };
  };
  /** What the sink knows. */
  readonly tokens: HecToken[];
  /** Whether Lambda reads the queue of splunk. */
  mapping: 'Enabled' | 'Disabled';
  /** Function's name → the state of its schedule. */
  readonly schedules: Map<string, 'ENABLED' | 'DISABLED'>;
  /** What the settings say of functions, other than the first deployment's. */
  readonly settings: Partial<Record<FunctionKind, Record<string, string>>>;
  /** Deploys the settings, and puts back what was changed by hand. */
  deploy(): Promise<void>;
  later(minutes: number): void;
  /** Adds events to the log, spread over the minutes before now. */
  produce(count: number, minutes?: number): void;
  /** Five minutes pass: what is to be started is started once, queues are read. */
  period(): Promise<void>;
  periods(count: number): Promise<void>;
  /** Messages that wait for splunk become dead letters. */
  bury(): Promise<void>;
  /** Lines of the log that the sink lacks. */
  missing(): number;
}

export async function deployedSystem(services: Services): Promise<DeployedSystem> {
  await using opened = new AsyncDisposableStack();
  vi.useFakeTimers({ toFake: ['Date'] });
  opened.defer(() => void vi.useRealTimers());
  const grant = fullGrant(ORGANIZATION);
  const log = { username: 'collector', password: PASSWORD, orgUrls: [ORG_URL] };
  const identities = { username: 'follower', password: PASSWORD, orgUrls: [], identities: grant };
  const provider = opened.use(
    await startProvider({ file: ':memory:', organizations: [ORGANIZATION], credentials: [log, identities] }),
  );
  provider.identities.seed(ORG_URL, { environment: 'prod', count: 20, seed: 1 });
  const tokens: HecToken[] = [{ token: TOKEN, indexes: ['identity'] }];
  const hec = opened.use(await startSplunkHec({ tokens }));
  const settings = settingsFile({
    provider: { baseUrl: provider.url },
    organizations: [followed('institution', { authorities: ['personnel'] }, { orgUrl: ORG_URL })],
    destinations: [
      pushDestination('splunk', 'splunk', { url: hec.url, index: 'identity' }),
      destination('elastic', { kind: 'elastic' }),
    ],
  });
  const made = await deploy(opened.use(await synthesizeApp(settings)), services);
  const env = await operatorEnvironment(made);
  const deployment = opened.use(await openAwsDeployment({ env }, never));
  const alarms = await CloudWatchAlarms.of(made);
  const functions = {
    collect: await accountFunction(made, 'collect'),
    sync: await accountFunction(made, 'sync'),
    deliver: await accountFunction(made, 'deliver'),
  };
  const urls = new Map<string, string>();
  for (const queue of made.resourcesOf('AWS::SQS::Queue'))
    urls.set(String(await made.property(queue, 'QueueName')), (await made.made(queue)).ref);
  const { sqs } = services.clients;
  const urlOf = (queue: string) => urls.get(queue) ?? '';
  const receive = async (queue: string) => {
    const names = ['All' as const];
    const request = { QueueUrl: urlOf(queue), MaxNumberOfMessages: 10, MessageSystemAttributeNames: names };
    return (await sqs.send(new ReceiveMessageCommand(request))).Messages ?? [];
  };
  const remove = (queue: string, ReceiptHandle: string) =>
    sqs.send(new DeleteMessageCommand({ QueueUrl: urlOf(queue), ReceiptHandle }));
  const waiting = async (queue: string, which: 'All' | 'Visible') => {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const request = { QueueUrl: urlOf(queue), AttributeNames: [...names] };
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand(request));
    return names.slice(0, which === 'All' ? 2 : 1).reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
  };

  const hidden = new Set<string>();
  /** Lambda's reading of the queue. What was put back may be received again: a quarter of an hour has passed, or more. */
  const deliverQueued = async (period: Period) => {
    if (system.mapping === 'Disabled' || functions.deliver.concurrency === 0) return;
    for (const ReceiptHandle of hidden)
      await sqs.send(
        new ChangeMessageVisibilityCommand({
          ...{ QueueUrl: urlOf('orglog-splunk'), ReceiptHandle, VisibilityTimeout: 0 },
        }),
      );
    hidden.clear();
    while ((await waiting('orglog-splunk', 'Visible')) > 0) {
      const messages = await receive('orglog-splunk');
      const Records = messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
        ...{ messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, attributes: Attributes },
      }));
      const answer = await functions.deliver.invoke(period, { Records });
      const { batchItemFailures } = (answer ?? {
        batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
      }) as { batchItemFailures: { itemIdentifier: string }[] };
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { MessageId = '', ReceiptHandle = '' } of messages) {
        if (failed.has(MessageId)) hidden.add(ReceiptHandle);
        else await remove('orglog-splunk', ReceiptHandle);
      }
    }
  };
  const waitingSince = new Map<string, number>();
  /** What SQS tells CloudWatch. */
  const measure = async (period: Period) => {
    for (const queue of QUEUES) {
      const visible = await waiting(queue, 'Visible');
      const since = waitingSince.get(queue) ?? Date.now();
      if (visible === 0) waitingSince.delete(queue);
      else waitingSince.set(queue, since);
      const seconds = visible === 0 ? 0 : Math.round((Date.now() - since) / 1000);
      const dimensions = [['QueueName', queue]] as const;
      add(period, metricName('AWS/SQS', 'ApproximateNumberOfMessagesVisible', dimensions), visible);
      add(period, metricName('AWS/SQS', 'ApproximateAgeOfOldestMessage', dimensions), seconds);
      await services.describe({ queueAges: { [queue]: [{ at: Date.now() - MINUTE_MS, seconds }] } });
    }
  };

  let seed = 0;
  const all = opened.move();
  const system: DeployedSystem = {
    ...{ deployment, provider, hec, env, services, alarms, functions, tokens },
    credentials: { log, identities },
    mapping: 'Enabled',
    schedules: new Map([functions.collect, functions.sync].map(({ name }) => [name, 'ENABLED'])),
    settings: {},
    async deploy() {
      for (const [kind, fn] of Object.entries(functions) as [FunctionKind, AccountFunction][])
        fn.deploy(system.settings[kind]);
      const deployed = Object.values(functions).map(({ name, environment }) => [name, environment]);
      await services.describe({ functions: Object.fromEntries(deployed) });
      await services.wire.reset();
    },
    later: (minutes) => void vi.setSystemTime(Date.now() + minutes * MINUTE_MS),
    produce(count, minutes = 4) {
      seed += 1;
      const span = { fromMs: Date.now() - minutes * MINUTE_MS, toMs: Date.now(), count, seed };
      provider.append(ORG_URL, generateTraffic({ ...ORGANIZATION, ...span }));
    },
    async period() {
      system.later(5);
      const period: Period = new Map();
      const isOn = ({ name }: AccountFunction) => system.schedules.get(name) === 'ENABLED';
      if (isOn(functions.collect)) await functions.collect.invoke(period);
      if (isOn(functions.sync)) await functions.sync.invoke(period);
      await deliverQueued(period);
      while ((await waiting('orglog-elastic', 'Visible')) > 0)
        for (const { ReceiptHandle = '' } of await receive('orglog-elastic'))
          await remove('orglog-elastic', ReceiptHandle);
      await measure(period);
      alarms.add(period);
    },
    async periods(count) {
      for (let at = 0; at < count; at++) await system.period();
    },
    async bury() {
      for (const { Body, ReceiptHandle = '' } of await receive('orglog-splunk')) {
        await sqs.send(new SendMessageCommand({ QueueUrl: urlOf('orglog-splunk-dead'), MessageBody: Body }));
        await remove('orglog-splunk', ReceiptHandle);
      }
    },
    missing() {
      const arrived = new Set(hec.events.map(({ event }) => event));
      return [...provider.lines(ORG_URL)].filter((line) => !arrived.has(line)).length;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
  return system;
}
