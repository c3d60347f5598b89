import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { pathsIn } from '../../../local/backend.ts';
import { openLocalDeployment } from '../../../local/deployment.ts';
import { startProvider } from '../../../local/provider/server.ts';
import { generateTraffic } from '../../../local/provider/traffic.ts';
import { Database } from '../../../local/sqlite.ts';
import { SqliteQueue } from '../../../local/sqlite-queue.ts';
import { never } from '../../contracts/support.ts';
import { runProvider } from '../../local/one-session.ts';
import { filesBelow, temporaryFolder } from '../../local/temporary-folder.ts';
import type { OperateBed } from './bed.ts';

const ORG_URL = 'https://login.institution.edu/';
const CREDENTIAL = { username: 'collector', password: 'correct-horse' };
/** When everything happens, so that what is printed stays the same. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

export interface LocalBed extends OperateBed {
  readonly folder: string;
  /** Goes to this moment, without anything happening meanwhile. */
  goTo(at: number): void;
  /** Files in the archive become as old as the clock has it. */
  settle(): Promise<void>;
}

/** A data folder that the real collector filled from the provider stand-in. The clock stands still until it is disposed of. */
export async function localBed(): Promise<LocalBed> {
  await using opened = new AsyncDisposableStack();
  vi.useFakeTimers({ toFake: ['Date'] });
  opened.defer(() => {
    vi.useRealTimers();
  });
  const folder = opened.use(await temporaryFolder()).path;
  const provider = opened.use(
    await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: ORG_URL, orgDomain: 'institution.edu' }],
      credentials: [{ ...CREDENTIAL, orgUrls: [ORG_URL] }],
    }),
  );
  const env = { ORGLOG_USERNAME: CREDENTIAL.username, ORGLOG_PASSWORD: CREDENTIAL.password };
  let seed = 0;
  const settle = async () => {
    const { archive } = pathsIn(folder);
    for (const file of await filesBelow(archive)) {
      const path = join(archive, file);
      const seconds = Date.now() / 1_000;
      if (!settled.has(path)) await utimes(path, seconds, seconds);
      settled.add(path);
    }
  };
  const settled = new Set<string>();
  const collect = async (count: number) => {
    seed += 1;
    const span = { fromMs: Date.now() - 40 * 60_000, toMs: Date.now(), count, seed };
    provider.append(ORG_URL, generateTraffic({ orgUrl: ORG_URL, orgDomain: 'institution.edu', ...span }));
    const log = { org: 'institution', baseUrl: provider.url, orgUrl: ORG_URL, environment: env };
    await runProvider(folder, log, { push: [{ name: 'splunk' }] });
    await settle();
  };
  for (const minutes of [10, 5, 0]) {
    vi.setSystemTime(NOW - minutes * 60_000);
    await collect(40);
  }
  const deployment = opened.use(await openLocalDeployment(folder, env));
  const all = opened.move();
  return {
    ...{ deployment, provider, env, collect, folder, settle },
    goTo: (time) => void vi.setSystemTime(time),
    pushed: 'splunk-stand-in',
    system: ['--data-dir', folder],
    async bury(destination) {
      using database = new Database(pathsIn(folder).state);
      const limits = { visibilityMs: 0, maxReceives: 1, now: Date.now };
      const queue = new SqliteQueue(database, { name: destination, ...limits });
      while ((await queue.standing(never)).visible > 0) await queue.receive(10, never);
    },
    lose: (key) => rm(join(pathsIn(folder).archive, key)),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A text without what differs from run to run. */
export function steady(text: string, { folder, provider }: LocalBed): string {
  return text
    .replaceAll(folder, '.local')
    .replaceAll(provider.url, 'https://api.institution.edu')
    .replace(/\b[a-z0-9]{4,}(?=[:-]\d{12}|:\d+:\d+)/g, 'epoch');
}
