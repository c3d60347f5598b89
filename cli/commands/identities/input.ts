import { z } from 'zod';
import type {
  CollectionInput,
  CreateIdentityInput,
  CredentialInput,
} from '../../../functions/core/identities/identities-api.ts';
import { mail } from './flags.ts';

/** A collection's attributes: a list of values for each key. */
export const attributeMap = z.record(
  z.string().min(1, 'expected a key that is not empty'),
  z.array(z.string('expected a string'), 'expected a list of strings'),
  'expected an object: {"key": ["value"]}',
);

const filled = z.string('expected a string').min(1, 'expected a string that is not empty');
const yesOrNo = z.boolean('expected true or false').optional();

const collection = z
  .strictObject({ attributeCollectionAuthority: filled, uid: filled, attributes: attributeMap.nullish() })
  .transform(({ attributeCollectionAuthority: authority, uid, attributes }) => ({
    authority,
    uid,
    ...(attributes && { attributes }),
  }));

const credential = z
  .strictObject({ remoteCredentialAuthority: filled, uid: filled })
  .transform(({ remoteCredentialAuthority: authority, uid }) => ({ authority, uid }));

/** The body of identities-v1.md, "create", as a document: null means that it is not given. */
export const createDocument = z
  .strictObject({
    mail,
    givenName: filled,
    sn: filled,
    customerUidGen: filled.nullish(),
    obid: yesOrNo,
    quiet: yesOrNo,
    allowDuplicateEmail: yesOrNo,
    attributeCollections: z.array(collection, 'expected a list').nullish(),
    remoteCredentials: z.array(credential, 'expected a list').nullish(),
  })
  .transform(({ attributeCollections, remoteCredentials, customerUidGen, ...document }) =>
    withoutAbsent({
      ...document,
      customerUidGen: customerUidGen ?? undefined,
      attributeCollections: attributeCollections ?? undefined,
      remoteCredentials: remoteCredentials ?? undefined,
    }),
  );

/** The same from options. Those that are needed have been checked. */
export function createInput(given: {
  readonly mail?: string | undefined;
  readonly givenName?: string | undefined;
  readonly sn?: string | undefined;
  readonly customerUidGen?: string | undefined;
  readonly hosted?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly allowDuplicateEmail?: boolean | undefined;
  readonly collection?: readonly CollectionInput[] | undefined;
  readonly credential?: readonly CredentialInput[] | undefined;
}): CreateIdentityInput {
  const { mail = '', givenName = '', sn = '', customerUidGen, hosted, quiet, allowDuplicateEmail } = given;
  return withoutAbsent({
    ...{ mail, givenName, sn, customerUidGen, obid: hosted, quiet, allowDuplicateEmail },
    attributeCollections: given.collection,
    remoteCredentials: given.credential,
  });
}

type Needed = 'mail' | 'givenName' | 'sn';

type WithAbsent = Pick<CreateIdentityInput, Needed> & {
  readonly [Member in Exclude<keyof CreateIdentityInput, Needed>]?: CreateIdentityInput[Member] | undefined;
};

/** Nothing is sent for what was not given. */
function withoutAbsent(given: WithAbsent): CreateIdentityInput {
  const { mail, givenName, sn, ...optional } = given;
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { mail, givenName, sn, ...Object.fromEntries(present) };
}
