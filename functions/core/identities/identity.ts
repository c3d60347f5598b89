/** Which of an organization's two sets of identity records (identities-v1.md, "Enumerations"). */
export type IdentityEnvironment = 'test' | 'prod';

export type AuthorityType = 'sor' | 'obid' | 'gateway';

/** identities-v1.md, "Attribute collection". Times are as the provider wrote them. Members unknown here are kept. */
export interface AttributeCollection {
  readonly attributeCollectionAuthority: string;
  readonly uid: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>> | null | undefined;
  readonly createTime: string;
  readonly lastUpdateTime: string;
  readonly credentialLastUsed?: string | null | undefined;
  /** A value that the document does not list is passed on: version 1.0.0 had `idp`. */
  readonly attributeCollectionAuthorityType: AuthorityType | (string & {});
}

/** identities-v1.md, "Identity": as the plain list returns it. Members unknown here are kept. */
export interface IdentityBase {
  /** The identifier, whatever the deployment calls its field. */
  readonly serviceUid: string;
  readonly mail?: string | null | undefined;
  readonly givenName?: string | null | undefined;
  readonly sn?: string | null | undefined;
  readonly createTime: string;
  readonly lastUpdateTime: string;
}

/** One identity with its attribute collections, remote credentials among them (with empty `attributes`). */
export interface Identity extends IdentityBase {
  readonly attributeCollections?: readonly AttributeCollection[] | null | undefined;
}

/** identities-v1.md, "Page wrappers". */
export interface IdentityPage<Item extends IdentityBase = Identity> {
  readonly items: readonly Item[];
  readonly totalItems: number;
  readonly pageCount: number;
  /** Items on this page. */
  readonly pageSize: number;
  /** From 1. */
  readonly pageIndex: number;
}

/** identities-v1.md, "Permissions". */
export interface IdentityPermissions {
  readonly username: string;
  readonly orgDomain: string;
  readonly environments: Readonly<Partial<Record<IdentityEnvironment, LinkGroup>>>;
  /** Hosted-credential permissions, valid in both environments: `read`, `write`. */
  readonly obid: readonly string[];
}

export interface LinkGroup {
  /** `admin-all`, `read`, `write`, and `delete` (seen in a sample only). */
  readonly permissions: readonly string[];
  /** `<tenantShortName>:<attributeCollectionAuthority>`. */
  readonly customerUidKeys: readonly string[];
  readonly attributeAuthorities: readonly string[];
}
