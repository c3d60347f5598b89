import { OrglogError } from '../errors.ts';
import type { Plan } from './plan.ts';
import type { Grant, SyncSettings } from './ports.ts';

/**
 * That a credential belongs to the organization that a plan's records are of. To another one's, the provider shows
 * none of them: all of its people would be told as created, and all of ours, by a 404 each, as removed.
 *
 * @throws OrglogError source-changed
 */
export function demandSameOwner(
  { orgDomain }: Grant,
  plan: Pick<Plan, 'orgDomain'> | undefined,
  { org, environment }: Pick<SyncSettings, 'org' | 'environment'>,
): void {
  const expected = plan?.orgDomain;
  if (expected === undefined || expected.toLowerCase() === orgDomain.toLowerCase()) return;
  throw new OrglogError(
    'source-changed',
    `the records of ${org}, ${environment}, are those of ${expected}, and the credential now belongs to ${orgDomain}: nothing was compared, or everybody would seem removed. Store the credential of ${expected}; where the organization was merely renamed, delete the row to begin with a first walk`,
  );
}
