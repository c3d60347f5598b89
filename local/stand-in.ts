import { createHttpLogSource } from '../functions/adapters/http-log-source.ts';
import { asOrglogError, OrglogError } from '../functions/core/errors.ts';
import type { Credential } from '../functions/core/ports.ts';
import type { LogTarget } from './log-target.ts';
import { type Provider, startProvider } from './provider/server.ts';
import { createLiveTraffic, generateTraffic } from './provider/traffic.ts';

/** The stand-in's one organization. */
const ORGANIZATION = { orgUrl: 'https://institution.edu/', orgDomain: 'institution.edu' };
const SEED = 1;
/** The one that it accepts. */
export const STAND_IN_CREDENTIAL: Credential = { username: 'orglog', password: 'stand-in' };
/** What its log is called in cursors and messages: not its URL, whose port is another at every start. */
export const STAND_IN = 'stand-in';
/** Below the hour that a read without a token reaches back. */
const WINDOW_MS = 55 * 60_000;
/** Mean of the day: a few each second at noon, one every few seconds at night. */
const LIVE_PER_HOUR = 7_200;

/**
 * The stand-in's server over its log as it is: nothing is added.
 * @throws OrglogError `storage` when the file cannot be used, `unavailable` when no port can be had
 */
export async function serveStandIn(file: string): Promise<Provider> {
  return startProvider({
    file,
    organizations: [ORGANIZATION],
    credentials: [{ ...STAND_IN_CREDENTIAL, orgUrls: [ORGANIZATION.orgUrl] }],
  }).catch((error: unknown) => {
    throw asOrglogError(error, 'unavailable');
  });
}

/**
 * The provider stand-in with one organization, in this process, its log in one file. An empty log is filled with
 * `events` of the last 55 minutes; each `beforeRun` adds what has happened since.
 *
 * @throws OrglogError `storage` when the file cannot be used, `unavailable` when no port can be had
 */
export async function openStandIn(file: string, events: number): Promise<LogTarget> {
  const { orgUrl } = ORGANIZATION;
  const provider = await serveStandIn(file);
  const appendSafely = (of: () => Parameters<typeof provider.append>[1]) => {
    try {
      provider.append(orgUrl, of());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OrglogError(
        'storage',
        `the stand-in cannot add to its log at ${file} (${reason}): free some space, or name another folder with --data-dir`,
        { cause: error },
      );
    }
  };
  try {
    const now = Date.now();
    const fresh = provider.count(orgUrl) === 0;
    if (fresh && events > 0) {
      const span = { fromMs: now - WINDOW_MS, toMs: now, count: events };
      appendSafely(() => generateTraffic({ ...ORGANIZATION, ...span, seed: SEED }));
    }
    const live = createLiveTraffic({
      ...ORGANIZATION,
      seed: SEED,
      // Of a long pause only the last part is made up for.
      sinceMs: fresh ? now : Math.max(provider.newestMs(orgUrl) ?? now, now - WINDOW_MS),
      eventsPerHour: LIVE_PER_HOUR,
    });
    const source = createHttpLogSource({
      baseUrl: provider.url,
      orgUrl,
      credentials: { get: async () => STAND_IN_CREDENTIAL },
    });
    return {
      org: 'institution',
      baseUrl: STAND_IN,
      standInUrl: provider.url,
      orgUrl,
      filters: {},
      // However long the start took, all of the backlog is read.
      fromToken: provider.startToken(orgUrl),
      source,
      title: 'the built-in provider stand-in',
      beforeRun: () => appendSafely(() => live.until(Date.now())),
      [Symbol.asyncDispose]: async () => {
        await source[Symbol.asyncDispose]();
        await provider.close();
      },
    };
  } catch (error) {
    await provider.close();
    throw error;
  }
}
