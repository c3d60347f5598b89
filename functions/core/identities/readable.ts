import { OrglogError } from '../errors.ts';
import type { IdentityEnvironment, IdentityPage } from './identity.ts';
import type { SyncPorts } from './ports.ts';

/**
 * Of the authorities that the credential's permissions name, those whose lists it may read. The permissions name those it may
 * write with (identities-v1.md, "Permissions"), and a hosted one among them needs a right of its own to be read. What is
 * left out here is left out of what snapshots are compared by: nobody is unlinked for it.
 *
 * @param onFirstPage hears of the first page of each
 */
export async function readable(
  authorities: readonly string[],
  environment: IdentityEnvironment,
  { source, observe }: Pick<SyncPorts, 'source' | 'observe'>,
  signal: AbortSignal,
  onFirstPage: (page: IdentityPage, authority: string) => void = () => {},
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const authority of authorities) {
    try {
      onFirstPage(await source.page({ environment, authority, page: 1 }, signal), authority);
      found.push(authority);
    } catch (error) {
      if (!(error instanceof OrglogError) || error.code !== 'not-authorized') throw error;
      observe({ kind: 'authority-left-out', authority, reason: error.message });
    }
  }
  return found;
}
