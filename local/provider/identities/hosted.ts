import { authoritiesOf } from './authorities.ts';
import type { StoredCollection } from './record.ts';

export const OID = {
  uid: 'urn:oid:0.9.2342.19200300.100.1.1',
  mail: 'urn:oid:0.9.2342.19200300.100.1.3',
  commonName: 'urn:oid:2.5.4.3',
  surname: 'urn:oid:2.5.4.4',
  givenName: 'urn:oid:2.5.4.42',
  displayName: 'urn:oid:2.16.840.1.113730.3.1.241',
  principalName: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6',
  scope: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6:scope',
} as const;

export interface HostedAccount {
  readonly orgUrl: string;
  readonly orgDomain: string;
  readonly givenName: string | null;
  readonly surname: string;
  readonly email: string;
  readonly uuid: string;
  readonly atMs: number;
}

/** The collection of a new username-and-password credential: eight keys, `cuid-<uuid>` (identities-v1.md). */
export function hostedCollection(account: HostedAccount): StoredCollection {
  const { orgUrl, orgDomain, givenName, surname, email, uuid, atMs } = account;
  const name = givenName === null ? surname : `${givenName} ${surname}`;
  return {
    authority: authoritiesOf(orgUrl).hosted,
    uid: `cuid-${uuid}`,
    type: 'obid',
    remote: false,
    attributes: {
      [OID.uid]: [email],
      [OID.mail]: [email],
      [OID.commonName]: [name],
      [OID.surname]: [surname],
      [OID.givenName]: givenName === null ? [] : [givenName],
      [OID.displayName]: [name],
      [OID.principalName]: [`${uuid}@${orgDomain}`],
      [OID.scope]: [orgDomain],
    },
    createdMs: atMs,
    updatedMs: atMs,
    usedMs: null,
  };
}

/** The address that a hosted credential was made for, in lower case: there is one credential for it. */
export function accountOf(collection: StoredCollection): string | null {
  if (collection.type !== 'obid') return null;
  return collection.attributes[OID.mail]?.[0]?.toLowerCase() ?? null;
}
