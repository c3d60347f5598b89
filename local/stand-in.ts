import { createHttpLogSource } from '../functions/adapters/http-log-source.ts';
import { createIdentitiesClient } from '../functions/adapters/identities/client.ts';
import { identitySource } from '../functions/adapters/identities/source.ts';
import { asOrglogError, OrglogError } from '../functions/core/errors.ts';
import type { Credential } from '../functions/core/ports.ts';
import type { LogTarget } from './log-target.ts';
import { allAuthorities } from './provider/identities/authorities.ts';
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
/** All of it, so that every operation can be tried. */
const ALL_IDENTITIES = {
  permissions: ['admin-all'],
  customerUidKeys: [],
  attributeAuthorities: allAuthorities(ORGANIZATION.orgUrl),
};
/** Soon enough for somebody who watches. */
const WALK_EVERY_MS = 20_000;
/** What happens between two walks. */
const CHANGES_A_WALK = 12;
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
    credentials: [
      {
        ...STAND_IN_CREDENTIAL,
        orgUrls: [ORGANIZATION.orgUrl],
        identities: {
          orgDomain: ORGANIZATION.orgDomain,
          environments: { test: ALL_IDENTITIES, prod: ALL_IDENTITIES },
          obid: ['read', 'write'],
        },
      },
    ],
  }).catch((error: unknown) => {
    throw asOrglogError(error, 'unavailable');
  });
}

/**
 * The provider stand-in with one organization, in this process, its log in one file. An empty log is filled with
 * `events` of the last 55 minutes; each `beforeRun` adds what has happened since. With `identities`, so many are there
 * at first, and are walked.
 *
 * @throws OrglogError `storage` when the file cannot be used, `unavailable` when no port can be had
 */
export async function openStandIn(file: string, events: number, identities?: number): Promise<LogTarget> {
  const { orgUrl } = ORGANIZATION;
  const provider = await serveStandIn(file);
  const safely = (work: () => void) => {
    try {
      work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OrglogError(
        'storage',
        `the stand-in cannot write to ${file} (${reason}): free some space, or name another folder with --data-dir`,
        { cause: error },
      );
    }
  };
  try {
    const now = Date.now();
    const fresh = provider.count(orgUrl) === 0;
    if (fresh && events > 0) {
      const span = { fromMs: now - WINDOW_MS, toMs: now, count: events };
      safely(() => provider.append(orgUrl, generateTraffic({ ...ORGANIZATION, ...span, seed: SEED })));
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
    const walked = identities === undefined ? NONE_WALKED : walkedIn(provider, identities, safely);
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
      beforeRun: () => safely(() => provider.append(orgUrl, live.until(Date.now()))),
      identities: walked.targets,
      [Symbol.asyncDispose]: async () => {
        await source[Symbol.asyncDispose]();
        await walked[Symbol.asyncDispose]();
        await provider.close();
      },
    };
  } catch (error) {
    await provider.close();
    throw error;
  }
}

const NONE_WALKED = { targets: [], [Symbol.asyncDispose]: async () => {} };

/** The stand-in's identities, invented where there are none, and how they are walked. */
function walkedIn(provider: Provider, count: number, safely: (work: () => void) => void) {
  const { orgUrl } = ORGANIZATION;
  const environment = 'prod';
  if (provider.identities.count(orgUrl, environment) === 0) {
    safely(() => provider.identities.seed(orgUrl, { environment, count, seed: SEED }));
  }
  const client = createIdentitiesClient({
    baseUrl: provider.url,
    credentials: { get: async () => STAND_IN_CREDENTIAL },
  });
  const stir = () => {
    // Other changes at each start, too.
    const seed = provider.count(orgUrl);
    safely(() => provider.identities.change(orgUrl, { environment, count: CHANGES_A_WALK, seed }));
  };
  return {
    targets: [{ environment, source: identitySource(client), everyMs: WALK_EVERY_MS, stir } as const],
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
