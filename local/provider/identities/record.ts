import type {
  AttributeCollection,
  AuthorityType,
  Identity,
  IdentityEnvironment,
} from '../../../functions/core/identities/identity.ts';

/** One organization's records of one environment. */
export interface Place {
  readonly orgUrl: string;
  readonly environment: IdentityEnvironment;
}

export interface StoredCollection {
  readonly authority: string;
  readonly uid: string;
  readonly type: AuthorityType;
  /** Made as a remote credential: its attributes stay empty. */
  readonly remote: boolean;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Epoch ms, as all times here. */
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly usedMs: number | null;
}

/** An identity as it is about to be stored. */
export interface NewIdentity extends Place {
  readonly uid: string;
  readonly mail: string | null;
  readonly givenName: string | null;
  readonly sn: string | null;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly collections: readonly StoredCollection[];
}

export interface StoredIdentity extends NewIdentity {
  /** Counts up in order of creation and is never used again: what the sort key `id` sorts by. */
  readonly row: number;
}

/** Whether two collections are the same one: an authority and a uid name it. */
export function isSame(
  one: Pick<StoredCollection, 'authority' | 'uid'>,
  other: Pick<StoredCollection, 'authority' | 'uid'>,
): boolean {
  return one.authority === other.authority && one.uid === other.uid;
}

/** ISO 8601 as the stand-in writes it, in the log as well. */
export function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}+00:00`;
}

/** AttributeCollectionOutput. */
export function collectionOutput(stored: StoredCollection): AttributeCollection {
  return {
    attributeCollectionAuthority: stored.authority,
    uid: stored.uid,
    attributes: stored.attributes,
    createTime: iso(stored.createdMs),
    lastUpdateTime: iso(stored.updatedMs),
    credentialLastUsed: stored.usedMs === null ? null : iso(stored.usedMs),
    attributeCollectionAuthorityType: stored.type,
  };
}

/** IdentityModelBase, its identifier in the member that the deployment names so. */
export function identityBase(stored: NewIdentity, uidField: string): Record<string, unknown> {
  return {
    [uidField]: stored.uid,
    mail: stored.mail,
    givenName: stored.givenName,
    sn: stored.sn,
    createTime: iso(stored.createdMs),
    lastUpdateTime: iso(stored.updatedMs),
  };
}

/** IdentityModel with the collections that `isShown`. */
export function identityModel(
  stored: NewIdentity,
  uidField: string,
  isShown: (collection: StoredCollection) => boolean,
): Record<string, unknown> {
  const attributeCollections = stored.collections.filter(isShown).map(collectionOutput);
  return { ...identityBase(stored, uidField), attributeCollections };
}

/** The whole of it in the words of the core. */
export function asIdentity(stored: StoredIdentity): Identity {
  return {
    serviceUid: stored.uid,
    mail: stored.mail,
    givenName: stored.givenName,
    sn: stored.sn,
    createTime: iso(stored.createdMs),
    lastUpdateTime: iso(stored.updatedMs),
    attributeCollections: stored.collections.map(collectionOutput),
  };
}
