import type { IdentityEnvironment, IdentityPermissions } from '../identities/identity.ts';
import { readPage } from '../page.ts';
import { MalformedPage } from '../page-scan.ts';
import type { LogSource, PageAnswer } from '../ports.ts';
import { nearestOf } from './check-nearest.ts';
import { failed, ok, unknown, type Verdict } from './check-verdict.ts';

/** How the provider answered a request without a credential. Times are epoch ms of our clock. */
export type ProviderProbe =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** By its `Date` header, which has whole seconds. */
      readonly serverAt?: number;
      readonly sentAt: number;
      readonly receivedAt: number;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** What signatures and time stamps bear is several times as much. */
export const MOST_SKEW_MS = 60_000;
const HALF_A_SECOND_MS = 500;
const SHOWN_AT_MOST = 10;

/** Whether the provider's log interface is where the settings say. */
export function judgeReachable(baseUrl: string, probe: ProviderProbe): Verdict {
  if (probe.kind === 'failed')
    return failed(`cannot be reached (${probe.detail})`, `check the base URL ${baseUrl} and the network`);
  const { status } = probe;
  if (status >= 500)
    return failed(`${baseUrl} answers ${status}`, "see the provider's status, and try again");
  if (status === 429) return ok(`${baseUrl} answers (429: too many requests)`);
  if (status === 200 || status === 401 || status === 403) return ok(`${baseUrl} answers`);
  return failed(`${baseUrl} answers ${status}, as its log interface does not`, 'correct the base URL');
}

/** Whether our clock and the provider's agree. */
export function judgeClock(probe: ProviderProbe): Verdict {
  if (probe.kind === 'failed' || probe.serverAt === undefined)
    return unknown('the clocks could not be compared', 'the provider told no time');
  const { serverAt, sentAt, receivedAt } = probe;
  const ahead = (sentAt + receivedAt) / 2 - (serverAt + HALF_A_SECOND_MS);
  const unsure = (receivedAt - sentAt) / 2 + HALF_A_SECOND_MS;
  const seconds = Math.abs(ahead) <= unsure ? 0 : Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) - unsure <= MOST_SKEW_MS)
    return ok(seconds === 0 ? 'its clock and ours agree' : `its clock and ours differ by ${seconds} s`);
  const which = ahead > 0 ? 'ahead of' : 'behind';
  return failed(
    `our clock is ${seconds} s ${which} the provider's`,
    'let this machine set its clock by NTP; if it does, tell the provider',
  );
}

/** What a credential is good for at the log interface. */
export interface LogTrial {
  readonly credential: Verdict;
  readonly orgUrl: Verdict;
  /** What the provider lists, where it did. */
  readonly permitted?: readonly string[];
}

/**
 * Reads one event, and what may be read.
 *
 * @throws OrglogError when the credential cannot be had, or the signal fires
 */
export async function tryLog(
  source: Pick<LogSource, 'readPage' | 'permittedOrgUrls'>,
  { orgUrl }: { readonly orgUrl: string },
  signal: AbortSignal,
): Promise<LogTrial> {
  const answer = await source.readPage({ limit: 1, freshCredential: true }, signal);
  const credential = credentialBy(answer);
  if (credential.verdict !== 'ok') {
    return { credential, orgUrl: unknown(`orgUrl ${JSON.stringify(orgUrl)} could not be tried`) };
  }
  const permitted = await source.permittedOrgUrls(signal);
  return { credential, orgUrl: orgUrlBy(answer, orgUrl, permitted), ...(permitted && { permitted }) };
}

function credentialBy(answer: PageAnswer): Verdict {
  const again = 'try again';
  if (answer.kind !== 'status') {
    if (answer.kind === 'body' || answer.kind === 'too-large') return ok('the credential is accepted');
    return unknown(`the credential could not be tried (${answer.detail})`, again);
  }
  const { status, detail } = answer;
  if (status === 401) return failed(`the provider refuses the credential (401 ${detail})`);
  if (status === 403 || status === 422) return ok('the credential is accepted');
  if (status === 429 || status === 408 || status >= 500)
    return unknown(`the credential could not be tried (${status} ${detail})`, again);
  return failed(
    `the provider answers ${status} ${detail}, as its log interface does not`,
    'correct the base URL',
  );
}

function orgUrlBy(answer: PageAnswer, orgUrl: string, permitted: readonly string[] | undefined): Verdict {
  const shown = `orgUrl ${JSON.stringify(orgUrl)}`;
  if (answer.kind === 'body') {
    try {
      readPage(answer.body);
      return ok(`${shown} may be read`);
    } catch (error) {
      if (!(error instanceof MalformedPage)) throw error;
      return failed(
        `${shown} is answered with what is no log (${error.message})`,
        'ask the provider about it',
      );
    }
  }
  if (answer.kind !== 'status') return unknown(`${shown} could not be tried (${answer.detail})`, 'try again');
  const { status, detail } = answer;
  if (status === 422)
    return failed(`the provider finds the request invalid (${detail})`, 'correct orgUrl, filters or limit');
  if (permitted === undefined)
    return failed(
      `${shown} may not be read (${status} ${detail})`,
      'compare it with what the provider issued',
    );
  if (permitted.includes(orgUrl))
    return failed(
      `${shown} may not be read, though it is permitted (${status} ${detail})`,
      'check the filters (tenant), and ask the provider about it',
    );
  return failed(`${shown} is not permitted`, permittedInWords(orgUrl, permitted));
}

function permittedInWords(orgUrl: string, permitted: readonly string[]): string {
  const nearest = nearestOf(orgUrl, permitted);
  if (nearest !== undefined)
    return `write ${JSON.stringify(nearest.name)}, which differs in ${nearest.difference}`;
  return `the credential may read ${listed(permitted)}`;
}

/** Names in quotes, not too many. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const more = names.length - SHOWN_AT_MOST;
  const shown = names.slice(0, SHOWN_AT_MOST).map((name) => JSON.stringify(name));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether a credential may do what following identity records takes. */
export function judgePermissions(
  { environments }: Pick<IdentityPermissions, 'environments'>,
  wanted: { readonly environment: IdentityEnvironment; readonly authorities?: readonly string[] },
): Verdict {
  const { environment, authorities } = wanted;
  const { permissions = [], attributeAuthorities = [] } = environments[environment] ?? {};
  if (!permissions.includes('read') && !permissions.includes('admin-all')) {
    const may = permissions.length === 0 ? 'nothing' : permissions.join(', ');
    return failed(
      `the credential may not read the identities of ${environment} (it may: ${may})`,
      'ask the provider for the permission read',
    );
  }
  const missing = (authorities ?? []).filter((authority) => !attributeAuthorities.includes(authority));
  const [first] = missing;
  if (first === undefined) {
    const read = authorities?.length ?? attributeAuthorities.length;
    return ok(`identities of ${environment} may be read, with ${read} authorit${read === 1 ? 'y' : 'ies'}`);
  }
  const nearest = nearestOf(first, attributeAuthorities);
  return failed(
    `the credential may not read collections of ${listed(missing)} in ${environment}`,
    nearest !== undefined
      ? `write ${JSON.stringify(nearest.name)}, which differs in ${nearest.difference}`
      : `it may read those of ${listed(attributeAuthorities)}; ask the provider, or correct the authorities`,
  );
}
