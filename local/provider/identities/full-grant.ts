import { allAuthorities, authoritiesOf } from './authorities.ts';
import type { IdentityGrant, Organization } from './permissions.ts';

/** Everything that the stand-in has a permission for, in both environments of an organization. */
export function fullGrant(organization: Organization): IdentityGrant {
  const { orgUrl, orgDomain, tenant = orgDomain.split('.', 1)[0] ?? orgDomain } = organization;
  const group = {
    permissions: ['read', 'write', 'delete'],
    customerUidKeys: [`${tenant}:${authoritiesOf(orgUrl).personnel}`],
    attributeAuthorities: allAuthorities(orgUrl),
  };
  return { orgDomain, environments: { test: group, prod: group }, obid: ['read', 'write'] };
}
