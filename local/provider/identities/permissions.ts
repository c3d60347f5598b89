import { OrglogError } from '../../../functions/core/errors.ts';
import type {
  IdentityEnvironment,
  IdentityPermissions,
  LinkGroup,
} from '../../../functions/core/identities/identity.ts';
import { Refusal } from '../answer.ts';
import type { ProviderCredential } from '../auth.ts';

/** What a credential may do with identities; what is left out it may not. */
export interface IdentityGrant {
  /** Of one of the stand-in's organizations: whose identities the credential sees. */
  readonly orgDomain: string;
  readonly environments?: Readonly<Partial<Record<IdentityEnvironment, Partial<LinkGroup>>>>;
  /** `read`, `write`: hosted credentials, in both environments. */
  readonly obid?: readonly string[];
}

export interface Organization {
  readonly orgUrl: string;
  readonly orgDomain: string;
  readonly tenant?: string;
}

/** Who calls, and what they may do at which organization. */
export interface Caller {
  readonly organization: Organization;
  readonly permissions: IdentityPermissions;
}

export type Permission = 'read' | 'write' | 'delete';

/** The callers that the credentials stand for. Throws an `OrglogError` where one names an unknown organization. */
export function callersOf(
  credentials: readonly ProviderCredential[],
  organizations: readonly Organization[],
): ReadonlyMap<ProviderCredential, Caller> {
  const callers = new Map<ProviderCredential, Caller>();
  for (const credential of credentials) {
    const { username, identities } = credential;
    if (identities === undefined) continue;
    const { orgDomain, environments, obid = [] } = identities;
    const organization = organizations.find((each) => each.orgDomain === orgDomain);
    if (organization === undefined) {
      throw new OrglogError(
        'configuration',
        `the credential ${username} is for identities of ${orgDomain}: name an organization of the stand-in`,
      );
    }
    const group = (given: Partial<LinkGroup> = {}): LinkGroup => ({
      permissions: given.permissions ?? [],
      customerUidKeys: given.customerUidKeys ?? [],
      attributeAuthorities: given.attributeAuthorities ?? [],
    });
    const both = { test: group(environments?.test), prod: group(environments?.prod) };
    callers.set(credential, { organization, permissions: { username, orgDomain, environments: both, obid } });
  }
  return callers;
}

export function notAuthorized(): Refusal {
  return new Refusal(401, 'Not authorized', { 'www-authenticate': 'Basic realm="provider"' });
}

/** Whether an operation of this kind is allowed in an environment: `admin-all` stands for each of them. */
export function may({ permissions }: Caller, environment: IdentityEnvironment, wanted: Permission): boolean {
  const given = permissions.environments[environment]?.permissions ?? [];
  return given.includes(wanted) || given.includes('admin-all');
}

/** Throws the 401 unless the permission is there. */
export function demand(caller: Caller, environment: IdentityEnvironment, wanted: Permission): void {
  if (!may(caller, environment, wanted)) throw notAuthorized();
}

/** Throws the 401 unless the permission is there in some environment at least. */
export function demandSomewhere(caller: Caller, wanted: Permission): void {
  if (!may(caller, 'test', wanted) && !may(caller, 'prod', wanted)) throw notAuthorized();
}

/** Throws the 401 unless every authority is one that the credential may use: `admin-all` adds none. */
export function demandAuthorities(
  { permissions }: Caller,
  environment: IdentityEnvironment,
  authorities: readonly string[],
): void {
  const given = permissions.environments[environment]?.attributeAuthorities ?? [];
  if (!authorities.every((each) => given.includes(each))) throw notAuthorized();
}

/** Throws the 401 unless the key is one that the credential may use. */
export function demandUidKey({ permissions }: Caller, environment: IdentityEnvironment, key: string): void {
  if (!permissions.environments[environment]?.customerUidKeys.includes(key)) throw notAuthorized();
}

/** Whether hosted credentials may be read, or made. */
export function mayHosted({ permissions }: Caller, wanted: 'read' | 'write'): boolean {
  return permissions.obid.includes(wanted);
}

export function demandHosted(caller: Caller, wanted: 'read' | 'write'): void {
  if (!mayHosted(caller, wanted)) throw notAuthorized();
}
