import { createHttpLogSource } from '../functions/adapters/http-log-source.ts';
import { createIdentitiesClient } from '../functions/adapters/identities/client.ts';
import { identitySource } from '../functions/adapters/identities/source.ts';
import { FETCHES_AT_ONCE } from '../functions/core/identities/bounds.ts';
import type { IdentityEnvironment } from '../functions/core/identities/identity.ts';
import type { CredentialSource } from '../functions/core/ports.ts';
import type { LogFilters } from '../functions/core/run.ts';
import type { LogTarget } from './log-target.ts';

/** Soon enough for somebody who watches. */
const PAGE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;
const WALK_EVERY_MS = 24 * 60 * 60_000;

export interface RealProviderOptions {
  readonly org: string;
  readonly baseUrl: string;
  readonly orgUrl: string;
  readonly filters: LogFilters;
  readonly fromToken?: string | undefined;
  readonly credentials: CredentialSource;
  /** Those whose identity records are walked. */
  readonly environments: readonly IdentityEnvironment[];
}

/** A provider's log for one orgUrl, and its identity records. @throws OrglogError `configuration` for a base URL that is refused */
export function openRealProvider(options: RealProviderOptions): LogTarget {
  const { org, baseUrl, orgUrl, filters, fromToken, credentials, environments } = options;
  const source = createHttpLogSource({
    ...{ baseUrl, orgUrl, filters, credentials },
    pageTimeoutMs: PAGE_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  const client = createIdentitiesClient({ baseUrl, credentials, connections: FETCHES_AT_ONCE });
  const records = identitySource(client);
  return {
    ...{ org, baseUrl, orgUrl, filters, source },
    ...(fromToken !== undefined && { fromToken }),
    title: baseUrl,
    beforeRun: () => {},
    identities: environments.map((environment) => ({ environment, source: records, everyMs: WALK_EVERY_MS })),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}
