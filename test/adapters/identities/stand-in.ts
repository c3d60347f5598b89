import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import type { Identity } from '../../../functions/core/identities/identity.ts';
import { allAuthorities, authoritiesOf } from '../../../local/provider/identities/authorities.ts';
import { type Provider, startProvider } from '../../../local/provider/server.ts';
import { clientAt, idleClock, never } from './bed.ts';

const ORG_URL = 'https://idp.institution.edu/';
const ORG_DOMAIN = 'institution.edu';
export const AUTHORITIES = authoritiesOf(ORG_URL);
export const UID_KEY = `institution:${AUTHORITIES.students}`;

/** An identity of the suite's own, and what is linked to it. */
export interface Subject {
  readonly identity: Identity;
  readonly mail: string;
  readonly collection: { readonly authority: string; readonly uid: string };
  readonly credential: { readonly authority: string; readonly uid: string };
  /** Unique to it: for what is to be made. */
  readonly mark: string;
}

/** The provider stand-in, and clients of it. */
export interface StandIn extends AsyncDisposable {
  readonly provider: Provider;
  /** May do everything. */
  readonly api: IdentitiesApi;
  /** Known, and allowed nothing. */
  readonly powerless: IdentitiesApi;
  /** Of a wrong password. */
  readonly stranger: IdentitiesApi;
  readonly subject: () => Promise<Subject>;
}

const FULL = { username: 'manager', password: 'all-of-it' };
const POWERLESS = { username: 'onlooker', password: 'none-of-it' };

export async function standIn(uidField: string): Promise<StandIn> {
  await using stack = new AsyncDisposableStack();
  const group = {
    permissions: ['admin-all'],
    customerUidKeys: [UID_KEY],
    attributeAuthorities: allAuthorities(ORG_URL),
  };
  const provider = stack.use(
    await startProvider({
      file: ':memory:',
      organizations: [{ orgUrl: ORG_URL, orgDomain: ORG_DOMAIN }],
      uidField,
      credentials: [
        {
          ...FULL,
          orgUrls: [ORG_URL],
          identities: {
            orgDomain: ORG_DOMAIN,
            environments: { test: group, prod: group },
            obid: ['read', 'write'],
          },
        },
        { ...POWERLESS, orgUrls: [ORG_URL], identities: { orgDomain: ORG_DOMAIN } },
      ],
    }),
  );
  const as = (credential: { username: string; password: string }) =>
    stack.use(
      clientAt(provider.url, { uidField, credentials: { get: async () => credential }, clock: idleClock() }),
    );
  const api = as(FULL);
  const powerless = as(POWERLESS);
  const stranger = as({ ...FULL, password: 'a guess' });
  let count = 0;
  const subject = async (): Promise<Subject> => {
    count += 1;
    const mark = `n${count}`;
    const mail = `${mark}@institution.edu`;
    const collection = { authority: AUTHORITIES.personnel, uid: `staff/${mark}` };
    const credential = { authority: AUTHORITIES.remote, uid: `${mark}+x@partner.example` };
    const identity = await api.create(
      'prod',
      {
        mail,
        givenName: 'Zoë',
        sn: `Ünal ${mark}`,
        attributeCollections: [{ ...collection, attributes: { department: ['Physics'], role: ['staff'] } }],
        remoteCredentials: [credential],
      },
      never(),
    );
    return { identity, mail, collection, credential, mark };
  };
  const owned = stack.move();
  return {
    provider,
    api,
    powerless,
    stranger,
    subject,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
