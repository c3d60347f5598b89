import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Deployment } from '../../functions/core/operate/ports.ts';
import { pathsIn } from '../../local/backend.ts';
import { openLocalDeployment } from '../../local/deployment.ts';
import { type Provider, startProvider } from '../../local/provider/server.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { type SplunkHec, startSplunkHec } from '../../local/sinks/splunk-hec.ts';
import { Database } from '../../local/sqlite.ts';
import { SqliteQueue } from '../../local/sqlite-queue.ts';
import { orglogHere } from '../cli/in-process.ts';
import { never } from '../contracts/support.ts';
import { runProvider } from '../local/one-session.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { Desk } from './desk.ts';

const ORG_URL = 'https://login.institution.edu/';
const TOKEN = '5c9ee7b2-0a3f-4a39-9f3b-5c1b3d7f8e21';
const MINUTE_MS = 60_000;
const SPLUNK = { authorization: `Splunk ${TOKEN}`, variables: 'ORGLOG_SPLUNK_TOKEN' };

/** A data folder that `orglog local` works in now and then, pushing to a Splunk; and the person at it. */
export interface EmbeddedSystem extends AsyncDisposable {
  readonly deployment: Deployment;
  readonly provider: Provider;
  readonly hec: SplunkHec;
  readonly desk: Desk;
  /** Of `orglog`: a credential may be changed. */
  readonly env: Record<string, string>;
  /** What the provider accepts. */
  readonly credential: { password: string };
  later(minutes: number): void;
  produce(count: number, minutes?: number): void;
  /** `orglog local --once`, five minutes later. @returns what it ended with */
  run(orgUrl?: string): Promise<unknown>;
  /** Messages that wait for splunk become dead letters. */
  bury(): Promise<void>;
  /** An object is gone. @returns what brings it back */
  lose(key: string): Promise<() => Promise<void>>;
  /** Expects that a run goes well, that status finds nothing, and that all arrived. */
  well(): Promise<void>;
}

export async function embeddedSystem(): Promise<EmbeddedSystem> {
  await using opened = new AsyncDisposableStack();
  vi.useFakeTimers({ toFake: ['Date'] });
  opened.defer(() => void vi.useRealTimers());
  const folder = opened.use(await temporaryFolder()).path;
  const credential = { username: 'collector', password: 'correct-horse', orgUrls: [ORG_URL] };
  const provider = opened.use(
    await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
      credentials: [credential],
    }),
  );
  const hec = opened.use(await startSplunkHec({ tokens: [{ token: TOKEN }] }));
  const env = {
    ...{ ORGLOG_DATA_DIR: folder, ORGLOG_USERNAME: 'collector', ORGLOG_PASSWORD: credential.password },
  };
  const run = async (orgUrl = ORG_URL) => {
    vi.setSystemTime(Date.now() + 5 * MINUTE_MS);
    const log = { org: 'institution', baseUrl: provider.url, orgUrl, environment: env };
    const push = [{ name: 'splunk' as const, real: { url: hec.url, ...SPLUNK } }];
    return await runProvider(folder, log, { push }).catch((error: unknown) => error);
  };
  await run();
  const deployment = opened.use(await openLocalDeployment(folder, env));
  let seed = 0;
  const all = opened.move();
  return {
    ...{ deployment, provider, hec, env, credential, run },
    desk: new Desk({ env, orglogOnly: true }),
    later: (minutes) => void vi.setSystemTime(Date.now() + minutes * MINUTE_MS),
    produce(count, minutes = 4) {
      seed += 1;
      const span = { fromMs: Date.now() - minutes * MINUTE_MS, toMs: Date.now(), count, seed };
      provider.append(ORG_URL, generateTraffic({ orgUrl: ORG_URL, orgDomain: 'institution.edu', ...span }));
    },
    async bury() {
      using database = new Database(pathsIn(folder).state);
      const limits = { visibilityMs: 0, maxReceives: 1, now: Date.now };
      const queue = new SqliteQueue(database, { name: 'splunk', ...limits });
      while ((await queue.standing(never)).visible > 0) await queue.receive(10, never);
    },
    async lose(key) {
      const [path, aside] = [join(pathsIn(folder).archive, key), join(folder, 'aside')];
      await rename(path, aside);
      return () => rename(aside, path);
    },
    async well() {
      expect(await run()).not.toBeInstanceOf(Error);
      const { stdout } = await orglogHere(['status', '--json'], { env });
      const { streams, destinations } = JSON.parse(stdout);
      for (const { health } of [...streams, ...destinations]) expect(health).toMatchObject({ verdict: 'ok' });
      const arrived = new Set(hec.events.map(({ event }) => event));
      expect([...provider.lines(ORG_URL)].filter((line) => !arrived.has(line))).toEqual([]);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
