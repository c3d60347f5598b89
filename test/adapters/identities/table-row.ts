import { expect } from 'vitest';
import type { IdentitiesApi } from '../../../functions/core/identities/identities-api.ts';
import { AUTHORITIES, type Subject } from './stand-in.ts';

type Call = (api: IdentitiesApi, subject: Subject) => Promise<unknown>;

interface Conflict {
  readonly what: string;
  /** What must have happened before. */
  readonly after?: Call;
  readonly call: Call;
  /** Whose identifier the answer names: the subject's, or nobody's. */
  readonly names: 'subject' | 'nobody';
}

/** One of the 13 operations, and for every status that is documented for it what leads there. */
export interface TableRow {
  readonly name: string;
  readonly method: string;
  /** Of the path, so that a fault befalls this operation only. */
  readonly path: string;
  readonly status: 200 | 201 | 204;
  readonly call: Call;
  /** What the call resolves to. */
  readonly result: (subject: Subject) => unknown;
  /** What the subject's identity must look like afterwards; absent for what changes nothing of it. */
  readonly afterwards?: (subject: Subject) => unknown;
  /** 404, each with what is missing. */
  readonly missing: readonly (readonly [what: string, call: Call])[];
  /** 409 */
  readonly conflicts: readonly Conflict[];
  /** 422 of the stand-in's own, with the path of the field that it names. */
  readonly invalid: readonly (readonly [field: string, call: Call])[];
}

export const GHOST = '00000000-0000-4000-8000-00000000dead/é';
export const person = (mail: string) => ({ mail, givenName: 'Zoë', sn: 'Ünal' });
export const other = (mark: string) => ({ authority: AUTHORITIES.students, uid: `s ${mark}` });
export const account = (mark: string) => ({ surname: 'Ünal', email: `hosted.${mark}@institution.edu` });
export const collectionOf = (authority: string, uid: string, attributes: unknown) =>
  expect.objectContaining({ attributeCollectionAuthority: authority, uid, attributes });
export const holding = (...collections: unknown[]) =>
  expect.objectContaining({ attributeCollections: expect.arrayContaining(collections) });
export const onPage = (item: unknown) => ({
  items: [item],
  totalItems: 1,
  pageCount: 1,
  pageSize: 1,
  pageIndex: 1,
});
export const base = ({ identity: { attributeCollections: _, ...rest } }: Subject) => rest;
const CUID = expect.stringMatching(/^cuid-[\da-f-]{36}$/);
export const hosted = () =>
  expect.objectContaining({
    attributeCollectionAuthority: AUTHORITIES.hosted,
    uid: CUID,
    attributeCollectionAuthorityType: 'obid',
  });
export const linked = (subject: Subject, collection: unknown) => ({
  serviceUid: subject.identity.serviceUid,
  attributeCollection: collection,
});
export const wrongEnvironment = 'staging' as 'prod';
