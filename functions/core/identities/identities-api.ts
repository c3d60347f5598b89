import type {
  AttributeCollection,
  Identity,
  IdentityBase,
  IdentityEnvironment,
  IdentityPage,
  IdentityPermissions,
} from './identity.ts';

export type SortKey = 'serviceUid' | 'sn' | 'givenName' | 'mail' | 'createTime' | 'lastUpdateTime';
export type SortOrder = 'asc' | 'desc';

export interface PageOptions {
  /** From 1; default 1. */
  readonly pageIndex?: number;
  /** 1 to 50; default 10. */
  readonly pageSize?: number;
  readonly sortOrder?: SortOrder;
}

export interface ListOptions extends PageOptions {
  readonly environment: IdentityEnvironment;
  readonly sortKey?: SortKey;
  readonly searchTerm?: string;
}

export interface ListByCollectionOptions extends PageOptions {
  readonly environment: IdentityEnvironment;
  readonly authority: string;
  /** Only the identity with this instance of the authority's. */
  readonly uid?: string;
  readonly sortKey?: SortKey | 'id';
}

export interface CollectionInput {
  readonly authority: string;
  readonly uid: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
}

export interface CredentialInput {
  readonly authority: string;
  readonly uid: string;
}

export interface CreateIdentityInput {
  readonly mail: string;
  readonly givenName: string;
  readonly sn: string;
  readonly customerUidGen?: string;
  /** Create and link a hosted credential for `mail`. */
  readonly obid?: boolean;
  /** No mail to the user. */
  readonly quiet?: boolean;
  readonly allowDuplicateEmail?: boolean;
  readonly attributeCollections?: readonly CollectionInput[];
  readonly remoteCredentials?: readonly CredentialInput[];
}

export interface ModifyIdentityInput {
  readonly mail?: string;
  readonly givenName?: string;
  readonly sn?: string;
  readonly allowDuplicateEmail?: boolean;
}

export interface CreateHostedCredentialInput {
  readonly givenName?: string;
  readonly surname: string;
  readonly email: string;
  readonly quiet?: boolean;
}

/** identities-v1.md, "Wrapper for single collection results". */
export interface LinkedCollection {
  readonly serviceUid: string;
  readonly attributeCollection: AttributeCollection;
}

/**
 * The provider's identity records (identities-v1.md): its 13 operations, a method each. Every call rejects with an
 * `OrglogError` only: `not-authorized` (401), `not-found` (404), `conflict` (409), `invalid-request` (422, naming the
 * fields), `unavailable` (429, 5xx, network; after the retries that are safe), `time-out` (the signal fired),
 * `configuration` (a redirect, or a 404 where no identity is addressed: the base URL is not the provider's).
 */
export interface IdentitiesApi {
  permissions(signal: AbortSignal): Promise<IdentityPermissions>;
  list(options: ListOptions, signal: AbortSignal): Promise<IdentityPage<IdentityBase>>;
  listByCollection(options: ListByCollectionOptions, signal: AbortSignal): Promise<IdentityPage>;
  /** Identifiers of the identities whose name or mail, or a collection's, holds the term. */
  search(environment: IdentityEnvironment, term: string, signal: AbortSignal): Promise<readonly string[]>;
  fetch(serviceUid: string, signal: AbortSignal): Promise<Identity>;
  create(
    environment: IdentityEnvironment,
    input: CreateIdentityInput,
    signal: AbortSignal,
  ): Promise<Identity>;
  modify(serviceUid: string, input: ModifyIdentityInput, signal: AbortSignal): Promise<Identity>;
  createCollection(
    serviceUid: string,
    input: CollectionInput,
    signal: AbortSignal,
  ): Promise<LinkedCollection>;
  /** Merges the attributes, or replaces all of them. */
  modifyCollection(
    serviceUid: string,
    input: CollectionInput & { readonly overwrite?: boolean },
    signal: AbortSignal,
  ): Promise<LinkedCollection>;
  deleteCollection(serviceUid: string, of: CredentialInput, signal: AbortSignal): Promise<void>;
  createRemoteCredential(
    serviceUid: string,
    input: CredentialInput,
    signal: AbortSignal,
  ): Promise<LinkedCollection>;
  deleteRemoteCredential(serviceUid: string, of: CredentialInput, signal: AbortSignal): Promise<void>;
  createHostedCredential(
    serviceUid: string,
    input: CreateHostedCredentialInput,
    signal: AbortSignal,
  ): Promise<LinkedCollection>;
}
