import { OrglogError } from '../../../functions/core/errors.ts';
import type { CredentialInput } from '../../../functions/core/identities/identities-api.ts';
import type { AttributeCollection, Identity } from '../../../functions/core/identities/identity.ts';
import type { Work } from './operation.ts';

/**
 * Who it is that a plan speaks of; undefined where the credential may not read, which says nothing of what it may
 * change.
 *
 * @throws OrglogError `not-found` before anybody is asked, and any other trouble
 */
export async function lookUp({ api, signal }: Work, serviceUid: string): Promise<Identity | undefined> {
  try {
    return await api.fetch(serviceUid, signal);
  } catch (error) {
    if (error instanceof OrglogError && error.code === 'not-authorized') return undefined;
    throw error;
  }
}

/** The collection of this authority and uid, as the identity has it now. */
export function linkOf(
  identity: Identity | undefined,
  { authority, uid }: CredentialInput,
): AttributeCollection | undefined {
  return identity?.attributeCollections?.find(
    (each) => each.attributeCollectionAuthority === authority && each.uid === uid,
  );
}
