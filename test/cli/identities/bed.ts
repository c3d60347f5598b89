import type { Identity, IdentityEnvironment } from '../../../functions/core/identities/identity.ts';
import { allAuthorities, authoritiesOf } from '../../../local/provider/identities/authorities.ts';
import { type Provider, startProvider } from '../../../local/provider/server.ts';
import { orglogHere, type Surroundings } from '../in-process.ts';
import type { Ended } from '../orglog.ts';

const ORG_URL = 'https://institution.edu/';
export const AUTHORITIES = authoritiesOf(ORG_URL);
export const PASSWORD = 'correct horse/battery+staple';
/** When everything happens, so that what is printed stays the same. */
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

export interface BedOptions {
  /** Invented identities in prod; default 120. */
  readonly count?: number;
  readonly uidField?: string;
}

/** A stand-in with identities in prod and few in test, and the command to call it with. */
export interface Bed extends AsyncDisposable {
  readonly provider: Provider;
  /** `orglog identities …` in this process, with address and credential in its environment. */
  run(args: readonly string[], surroundings?: Surroundings): Promise<Ended>;
  /** The same with a credential that may only read. */
  asReader(args: readonly string[], surroundings?: Surroundings): Promise<Ended>;
  readonly env: Readonly<Record<string, string>>;
  all(environment?: IdentityEnvironment): Identity[];
  get(serviceUid: string): Identity;
  /** An identity with nothing linked to it. */
  create(mail: string): Promise<Identity>;
}

export async function identityBed({ count = 120, uidField }: BedOptions = {}): Promise<Bed> {
  const attributeAuthorities = allAuthorities(ORG_URL);
  const group = {
    permissions: ['read', 'write', 'delete'],
    attributeAuthorities,
    customerUidKeys: [`institution:${AUTHORITIES.personnel}`],
  };
  const orgDomain = 'institution.edu';
  const provider = await startProvider({
    file: ':memory:',
    organizations: [{ orgUrl: ORG_URL, orgDomain, tenant: 'institution' }],
    credentials: [
      {
        ...{ username: 'writer', password: PASSWORD, orgUrls: [ORG_URL] },
        identities: { orgDomain, environments: { test: group, prod: group }, obid: ['read', 'write'] },
      },
      {
        ...{ username: 'reader', password: PASSWORD, orgUrls: [ORG_URL] },
        identities: {
          orgDomain,
          environments: { prod: { permissions: ['read'], attributeAuthorities: [AUTHORITIES.personnel] } },
        },
      },
    ],
    now: () => NOW,
    ...(uidField !== undefined && { uidField }),
  });
  provider.identities.seed(ORG_URL, { environment: 'prod', count, seed: 1 });
  provider.identities.seed(ORG_URL, { environment: 'test', count: 3, seed: 1 });
  const env = { ORGLOG_BASE_URL: provider.url, ORGLOG_USERNAME: 'writer', ORGLOG_PASSWORD: PASSWORD };
  const run: Bed['run'] = (args, { env: more, ...surroundings } = {}) =>
    orglogHere(['identities', ...args], { ...surroundings, env: { ...env, ...more } });
  const get = (serviceUid: string) => {
    const found = provider.identities.get(serviceUid);
    if (found === undefined) throw new Error(`the stand-in has no identity ${serviceUid}`);
    return found;
  };
  return {
    ...{ provider, run, env, get },
    asReader: (args, { env: more, ...surroundings } = {}) =>
      run(args, { ...surroundings, env: { ORGLOG_USERNAME: 'reader', ...more } }),
    all: (environment = 'prod') => [...provider.identities.all(ORG_URL, environment)],
    create: async (mail) => {
      const args = ['create', '--mail', mail, '--given-name', 'Ada', '--sn', 'Lovelace', '--yes', '--json'];
      return JSON.parse((await run(args)).stdout) as Identity;
    },
    [Symbol.asyncDispose]: () => provider.close(),
  };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A text without what differs from run to run: identifiers in the order of their appearance, the address. */
export function steady(text: string, { provider }: Bed): string {
  const seen: string[] = [];
  return text.replaceAll(provider.url, 'https://api.institution.edu').replace(UUID, (uuid) => {
    if (!seen.includes(uuid)) seen.push(uuid);
    return `4f1c0a2e-92b7-4d5e-8c11-${String(seen.indexOf(uuid) + 1).padStart(12, '0')}`;
  });
}

/** The widest line of a text. */
export function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}
