import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dynamoDbOperatorCursors } from '../../functions/adapters/operator/dynamodb-cursors.ts';
import { s3OperatorArchive } from '../../functions/adapters/operator/s3-archive.ts';
import type { OperatorArchive } from '../../functions/core/operate/ports.ts';
import { createRandom, mixSeeds } from '../../local/provider/random.ts';
import { deployInto, ORG, TIMEOUTS_MS } from './aws-deployment.ts';
import { logTo } from './child.ts';
import { ClockFile } from './clock-file.ts';
import { DeliveryDriver } from './delivery-driver.ts';
import { type Evidence, stateOfProvider } from './evidence.ts';
import { type FunctionName, FunctionProcess } from './function-process.ts';
import type { Targets } from './plan.ts';
import { ProviderProcess } from './provider-process.ts';
import { PullingConsumer } from './pulling-consumer.ts';
import { QueueReader } from './queue-reader.ts';
import { ServicesProcess } from './services-process.ts';
import { Sinks } from './sinks.ts';
import { CREDENTIAL, IDENTITIES, ORGANIZATION, type World, type WorldOptions } from './world.ts';

/** Containers, and the function that runs in each: two of one are there to run at once. */
const CONTAINERS: Readonly<Record<string, FunctionName>> = {
  'collect-1': 'collect',
  'collect-2': 'collect',
  'sync-1': 'sync',
  'sync-2': 'sync',
  'splunk-1': 'splunk',
  'splunk-2': 'splunk',
  'elastic-1': 'elastic',
};
const TARGETS: Targets = {
  kills: {
    'collect-1': 9,
    'collect-2': 15,
    'sync-1': 9,
    'splunk-1': 8,
    'splunk-2': 14,
    'elastic-1': 12,
    provider: 15,
  },
  stalls: ['collect-1', 'sync-1', 'splunk-1', 'provider', 'services'],
  clocks: ['collect-1', 'collect-2', 'sync-1', 'splunk-1', 'elastic-1'],
  twins: ['collect', 'sync'],
  aws: true,
};
const PERIOD_MS = 500;
const CALM_MS = 150_000;
/** Longer than any message stays hidden. */
const HIDDEN_MS = 16 * 60_000;
/** Between what a sink took and the ledger's write that fails. */
const NOTING_MS = 4000;

/** The handlers, each in containers of its own, before stand-ins of AWS. */
export async function awsWorld(options: WorldOptions): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const { folder, seed, eventsPerSecond } = options;
  const file = join(folder, 'provider.sqlite');
  const log = logTo(join(folder, 'output.log'));
  opened.defer(() => void log.end());
  const clockAt = (name: string) => new ClockFile(join(folder, `clock-${name}`));
  const sinks = opened.use(await Sinks.start());
  const provider = opened.use(
    await ProviderProcess.start(
      { file, port: 0, ...ORGANIZATION, ...CREDENTIAL, seed, eventsPerSecond, identities: IDENTITIES },
      log,
    ),
  );
  const queueClock = clockAt('services');
  const aws = opened.use(await ServicesProcess.start(queueClock, log));
  const { services } = aws;
  const deployment = await deployInto(services, aws.env, provider.url, sinks);
  const clocks = new Map(Object.keys(CONTAINERS).map((name) => [name, clockAt(name)]));
  const containers = new Map<string, FunctionProcess>();
  for (const [container, name] of Object.entries(CONTAINERS)) {
    const clock = clocks.get(container) ?? clockAt(container);
    const env = deployment.environments[name];
    containers.set(
      container,
      opened.use(new FunctionProcess({ name, clock, env, log, timeoutMs: TIMEOUTS_MS[name] })),
    );
  }
  const containerOf = (name: string): FunctionProcess => {
    const found = containers.get(name);
    if (found === undefined) throw new Error(`there is no container ${name}`);
    return found;
  };

  const { table, bucket, queues } = deployment;
  const stored = s3OperatorArchive({ client: services.clients.s3, bucket, region: services.region });
  /** With the time at which an object was truly written: only the queues' was to be moved on. */
  const archive: OperatorArchive = {
    ...stored,
    async *list(...parts) {
      for await (const objects of stored.list(...parts)) {
        yield objects.map((one) => ({ ...one, storedAt: queueClock.trueTimeOf(one.storedAt) }));
      }
    },
  };
  const readers = {
    siem: new QueueReader(services.clients.sqs, queues.siem),
    splunk: new QueueReader(services.clients.sqs, queues.splunk),
    elastic: new QueueReader(services.clients.sqs, queues.elastic),
  };
  const consumer = new PullingConsumer(readers.siem, archive);
  const drivers = {
    splunk: new DeliveryDriver(readers.splunk),
    elastic: new DeliveryDriver(readers.elastic),
  };
  const random = createRandom(mixSeeds(seed, 78));
  let calming = false;

  async function schedule(work: () => Promise<unknown>): Promise<void> {
    while (!calming) {
      await work();
      await sleep(PERIOD_MS * (0.5 + random.next()));
    }
  }
  const working = Promise.all([
    schedule(() => containerOf('collect-1').invoke({})),
    schedule(() => containerOf('sync-1').invoke({})),
    schedule(() => drivers.splunk.poll(containerOf('splunk-1'))),
    schedule(() => drivers.splunk.poll(containerOf('splunk-2'))),
    schedule(() => drivers.elastic.poll(containerOf('elastic-1'))),
    schedule(() => consumer.poll()),
  ]);
  opened.defer(async () => {
    calming = true;
    for (const container of containers.values()) await container.kill();
    await working;
  });

  async function stall(name: string, forMs: number): Promise<void> {
    const process = name === 'provider' ? provider : name === 'services' ? aws : containerOf(name);
    process.signal('SIGSTOP');
    await sleep(forMs);
    process.signal('SIGCONT');
  }

  function passTime(ms: number): void {
    queueClock.set(queueClock.offsetMs + ms);
  }

  /** Everything once, with the time passed that hides messages. @returns what is still to be done, in words */
  async function round(): Promise<string> {
    passTime(HIDDEN_MS);
    const collected = await containerOf('collect-1').invoke({});
    if ('error' in collected) return `the collector: ${collected.error}`;
    const report = collected.answer as { outcome: string; owed: Record<string, number> };
    if (report.outcome !== 'caught-up') return `the collector: ${report.outcome}`;
    const owed = Object.values(report.owed).reduce((sum, count) => sum + count, 0);
    if (owed > 0) return `the collector owes ${owed} announcements`;
    const synced = await containerOf('sync-1').invoke({});
    if ('error' in synced) return `the sync: ${synced.error}`;
    const walk = synced.answer as { outcome: string; owed: Record<string, number> };
    while ((await consumer.poll()) > 0);
    for (const sink of ['splunk', 'elastic'] as const) {
      while ((await drivers[sink].poll(containerOf(`${sink}-1`))) > 0);
    }
    for (const [name, reader] of Object.entries(readers)) {
      const { waiting } = await reader.depth();
      if (waiting > 0) return `${waiting} messages wait for ${name}`;
    }
    return walk.outcome === 'complete' ? 'walked' : `the sync: ${walk.outcome}`;
  }

  const all = opened.move();
  return {
    name: 'aws',
    targets: TARGETS,
    async befall(incident) {
      switch (incident.kind) {
        case 'provider':
          // Where it was killed at this moment, this does not happen.
          return provider.order({ ...incident, kind: 'fault' }).catch(() => {});
        case 'sink':
          return sinks.fail(incident.sink, incident.fault, incident.times);
        case 'aws':
          return aws.order({ ...incident, kind: 'fail' });
        case 'aws-latency':
          return aws.order({ kind: 'latency', delayMs: incident.delayMs });
        case 'queue-time':
          return passTime(incident.forwardMs);
        case 'clock':
          return clocks.get(incident.process)?.set(incident.offsetMs);
        case 'kill':
          return incident.process === 'provider'
            ? await provider.kill()
            : await containerOf(incident.process).kill();
        case 'stall':
          return await stall(incident.process, incident.forMs);
        case 'twin':
          await containerOf(`${incident.process}-2`).invoke({});
      }
    },
    async calm() {
      calming = true;
      await provider.order({ kind: 'rest' });
      await provider.order({ kind: 'calm' });
      sinks.calm();
      await aws.order({ kind: 'calm' });
      for (const clock of clocks.values()) clock.set(0);
      await working;
      const untilMs = Date.now() + CALM_MS;
      // The first walk may have begun before the last change.
      for (let walked = 0; walked < 2; ) {
        const left = await round();
        if (left === 'walked') walked++;
        else if (Date.now() > untilMs) throw new Error(`after ${CALM_MS} ms of calm: ${left}`);
        else await sleep(PERIOD_MS);
      }
      // A walk's last announcements, and what they announce.
      while (!(await round()).startsWith('the sync: '));
    },
    async evidence(): Promise<Evidence> {
      await provider[Symbol.asyncDispose]();
      const noting = (await aws.befallen()).filter(({ operation }) => operation === 'UpdateItem');
      const depths = await Promise.all(Object.values(readers).map((reader) => reader.depth()));
      return {
        org: ORG,
        ...(await stateOfProvider(file)),
        cursors: dynamoDbOperatorCursors({ client: services.clients.dynamodb, table }),
        archive,
        arrivals: { splunk: sinks.arrivals('splunk'), elastic: sinks.arrivals('elastic') },
        pulled: consumer.lines,
        deadLetters: depths.reduce((sum, { dead }) => sum + dead, 0),
        excuses: [
          ...drivers.splunk.excuses,
          ...noting.map(({ atMs }) => ({
            why: 'the ledger could not be written',
            fromMs: atMs - NOTING_MS,
            toMs: atMs,
          })),
        ],
      };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
