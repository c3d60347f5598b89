import { createHttpLogSource } from '../functions/adapters/http-log-source.ts';
import type { CredentialSource } from '../functions/core/ports.ts';
import type { LogFilters } from '../functions/core/run.ts';
import type { LogTarget } from './log-target.ts';

/** Soon enough for somebody who watches. */
const PAGE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;

export interface RealProviderOptions {
  readonly org: string;
  readonly baseUrl: string;
  readonly orgUrl: string;
  readonly filters: LogFilters;
  readonly fromToken?: string | undefined;
  readonly credentials: CredentialSource;
}

/** A provider's log for one orgUrl. @throws OrglogError `configuration` for a base URL that is refused */
export function openRealProvider(options: RealProviderOptions): LogTarget {
  const { org, baseUrl, orgUrl, filters, fromToken, credentials } = options;
  const source = createHttpLogSource({
    ...{ baseUrl, orgUrl, filters, credentials },
    pageTimeoutMs: PAGE_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
  return {
    ...{ org, baseUrl, orgUrl, filters, source },
    ...(fromToken !== undefined && { fromToken }),
    title: baseUrl,
    beforeRun: () => {},
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}
