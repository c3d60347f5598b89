import { OrglogError } from '../../core/errors.ts';
import type { IdentitiesApi } from '../../core/identities/identities-api.ts';
import type { IdentitySource } from '../../core/identities/ports.ts';

/** What a walk reads, from the provider's operations. */
export function identitySource(api: IdentitiesApi): IdentitySource {
  return {
    async granted(environment, signal) {
      const { orgDomain, environments, obid } = await api.permissions(signal);
      const authorities = [...new Set(environments[environment]?.attributeAuthorities)];
      return { orgDomain, authorities, hosted: obid.includes('read') };
    },
    page({ environment, authority, page }, signal) {
      const options = {
        environment,
        pageIndex: page,
        pageSize: 50,
        sortKey: 'createTime',
        sortOrder: 'asc',
      } as const;
      return authority === undefined
        ? api.list(options, signal)
        : api.listByCollection({ ...options, authority }, signal);
    },
    async fetch(serviceUid, signal) {
      try {
        return await api.fetch(serviceUid, signal);
      } catch (error) {
        if (error instanceof OrglogError && error.code === 'not-found') return undefined;
        throw error;
      }
    },
  };
}
