import type { LogFilters } from '../../functions/core/run.ts';
import { pathsIn } from '../../local/backend.ts';
import { EnvironmentCredentials } from '../../local/environment-credentials.ts';
import { openRealProvider } from '../../local/real-provider.ts';
import { runSession, type SessionOptions } from '../../local/session.ts';
import { openStandIn } from '../../local/stand-in.ts';
import { never } from '../contracts/support.ts';

type Flags = Partial<Pick<SessionOptions, 'limit' | 'batchBytes' | 'push' | 'stop'>>;

const DEFAULTS = { once: true, everyMs: 2_000, limit: 1000, batchBytes: 8 * 1024 ** 2, push: [] } as const;

/** `orglog local --once` of the built-in stand-in, in this process. */
export async function runStandIn(folder: string, events: number, flags: Flags = {}): Promise<void> {
  const openTarget = () => openStandIn(pathsIn(folder).provider, events);
  await run(folder, { ...flags, openTarget, standIn: true });
}

export interface ProviderFlags {
  readonly org: string;
  readonly baseUrl: string;
  readonly orgUrl: string;
  readonly filters?: LogFilters;
  /** `ORGLOG_USERNAME` and `ORGLOG_PASSWORD`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** `orglog local --once` of a provider's log, in this process. */
export async function runProvider(folder: string, provider: ProviderFlags, flags: Flags = {}): Promise<void> {
  const credentials = new EnvironmentCredentials(provider.environment);
  const openTarget = () => openRealProvider({ filters: {}, environments: [], ...provider, credentials });
  await run(folder, { ...flags, openTarget, standIn: false });
}

async function run(
  folder: string,
  options: Flags & Pick<SessionOptions, 'openTarget' | 'standIn'>,
): Promise<void> {
  await runSession({ ...DEFAULTS, stop: never, onProgress: () => {}, folder, ...options });
}
