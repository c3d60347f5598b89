import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalDeployment } from '../../local/deployment.ts';
import { createRandom, mixSeeds } from '../../local/provider/random.ts';
import { Child, logTo } from './child.ts';
import { ClockFile } from './clock-file.ts';
import { type Evidence, type Excuse, stateOfProvider } from './evidence.ts';
import type { Incident, Targets } from './plan.ts';
import { ProviderProcess } from './provider-process.ts';
import { ELASTIC_KEY, Sinks, SPLUNK_TOKEN } from './sinks.ts';
import { CREDENTIAL, IDENTITIES, ORGANIZATION, type World, type WorldOptions } from './world.ts';

const ORG = 'institution';
const RESTART_MS = 100;
/** How long a twin may live: it is to be turned away, unless the other one just died. */
const TWIN_MS = 3000;
/** Before a kill, a delivery may have been under way this long. */
const UNDER_WAY_MS = 3000;
const CALM_MS = 120_000;
const DESTINATIONS = ['siem', 'splunk', 'elastic'];

const TARGETS: Targets = {
  kills: { orglog: 6, provider: 11 },
  stalls: ['orglog', 'provider'],
  clocks: ['orglog'],
  twins: ['orglog'],
  aws: false,
};

/** `orglog local` with a provider and two sinks around it: killed, it is started again, as a service manager does. */
export async function embeddedWorld(options: WorldOptions): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const { folder, seed, eventsPerSecond } = options;
  const data = join(folder, 'data');
  const file = join(folder, 'provider.sqlite');
  const log = logTo(join(folder, 'output.log'));
  const clock = new ClockFile(join(folder, 'clock'));
  const sinks = opened.use(await Sinks.start());
  const provider = opened.use(
    await ProviderProcess.start(
      { file, port: 0, ...ORGANIZATION, ...CREDENTIAL, seed, eventsPerSecond, identities: IDENTITIES },
      log,
    ),
  );
  const random = createRandom(mixSeeds(seed, 77));
  const excuses: Excuse[] = [];
  const started = new Set<Child>();
  let current: Child | undefined;
  let calming = false;

  function start(...flags: string[]): Child {
    const child = new Child({
      file: import.meta.resolve('../../cli/orglog.ts'),
      parameters: [
        ...['local', '--base-url', provider.url, '--org-url', ORGANIZATION.orgUrl, '--org', ORG],
        ...['--data-dir', data, '--every', '1', '--limit', '100', '--batch-bytes', '1'],
        ...['--identities', 'prod', ...flags],
        ...['--push', `splunk=${sinks.urlOf('splunk')},elastic=${sinks.urlOf('elastic')}`],
      ],
      flags: clock.flags,
      env: {
        ...clock.env,
        ORGLOG_USERNAME: CREDENTIAL.username,
        ORGLOG_PASSWORD: CREDENTIAL.password,
        ORGLOG_SPLUNK_TOKEN: SPLUNK_TOKEN,
        ORGLOG_ELASTIC_API_KEY: ELASTIC_KEY,
      },
      log,
    });
    started.add(child);
    void child.ended.then(() => started.delete(child));
    return child;
  }

  async function kill(child: Child): Promise<void> {
    if (!child.isAlive) return;
    const atMs = Date.now();
    await child.kill();
    excuses.push({ why: 'its sender was killed', fromMs: atMs - UNDER_WAY_MS, toMs: Date.now() });
  }

  /** One after the other; now and then to the log's end only, which walks the identities too. */
  const supervising = (async () => {
    while (!calming) {
      current = random.chance(0.25) ? start('--once') : start();
      await current.ended;
      await sleep(RESTART_MS);
    }
  })();

  async function stall({ process, forMs }: Incident & { kind: 'stall' }): Promise<void> {
    const stalled = process === 'provider' ? provider : current;
    stalled?.signal('SIGSTOP');
    await sleep(forMs);
    stalled?.signal('SIGCONT');
    if (stalled === current) {
      const toMs = Date.now();
      excuses.push({ why: 'its sender stood still', fromMs: toMs - forMs - UNDER_WAY_MS, toMs });
    }
  }

  async function twin(): Promise<void> {
    const other = start();
    await Promise.race([other.ended, sleep(TWIN_MS)]);
    await kill(other);
  }

  async function toTheEnd(untilMs: number): Promise<void> {
    for (;;) {
      const child = start('--once');
      const how = await Promise.race([child.ended, sleep(Math.max(0, untilMs - Date.now()), 'too slow')]);
      if (how === '0') return;
      await child.kill();
      if (Date.now() >= untilMs) throw new Error(`after ${CALM_MS} ms of calm it still ends with ${how}`);
    }
  }

  opened.defer(async () => {
    calming = true;
    for (const child of started) await child.kill();
    await supervising;
    log.end();
  });
  const all = opened.move();
  return {
    name: 'embedded',
    targets: TARGETS,
    async befall(incident) {
      switch (incident.kind) {
        case 'provider':
          // Where it was killed at this moment, this does not happen.
          return provider.order({ ...incident, kind: 'fault' }).catch(() => {});
        case 'sink':
          return sinks.fail(incident.sink, incident.fault, incident.times);
        case 'kill':
          if (incident.process === 'provider') return await provider.kill();
          return current && (await kill(current));
        case 'stall':
          return await stall(incident);
        case 'clock':
          return clock.set(incident.offsetMs);
        case 'twin':
          return await twin();
        case 'aws':
        case 'aws-latency':
        case 'queue-time':
          return;
      }
    },
    async calm() {
      calming = true;
      await provider.order({ kind: 'rest' });
      await provider.order({ kind: 'calm' });
      sinks.calm();
      for (const child of [...started]) await kill(child);
      await supervising;
      for (const child of [...started]) await kill(child);
      clock.set(0);
      const untilMs = Date.now() + CALM_MS;
      // The first ends a walk that was under way; the second sees what changed since.
      await toTheEnd(untilMs);
      await toTheEnd(untilMs);
    },
    async evidence(): Promise<Evidence> {
      await provider[Symbol.asyncDispose]();
      const deployment = all.use(await openLocalDeployment(data, {}));
      const signal = new AbortController().signal;
      const depths = DESTINATIONS.map((id) => deployment.queue(id).depth(signal));
      const text = await Promise.all(
        ['siem.ndjson', 'siem-identities.ndjson'].map((name) => readFile(join(data, name), 'utf8')),
      );
      return {
        org: ORG,
        ...(await stateOfProvider(file)),
        cursors: deployment.cursors,
        archive: deployment.archive,
        arrivals: { splunk: sinks.arrivals('splunk'), elastic: sinks.arrivals('elastic') },
        pulled: text.flatMap((each) => each.split('\n').slice(0, -1)),
        deadLetters: (await Promise.all(depths)).reduce((sum, { dead }) => sum + dead, 0),
        excuses,
      };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
