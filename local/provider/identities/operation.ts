import { type Answer, jsonAnswer } from '../answer.ts';
import type { BODIES, RequestParts } from './checks.ts';
import type { Occasion } from './events.ts';
import type { IdentityListing } from './listing.ts';
import { type Caller, demand, demandSomewhere, type Permission } from './permissions.ts';
import { collectionOutput, type StoredCollection, type StoredIdentity } from './record.ts';
import { type IdentityRecords, notFound } from './records.ts';
import type { IdentityStore } from './store.ts';

/** What the operations work with. */
export interface IdentityHalf {
  readonly store: IdentityStore;
  readonly listing: IdentityListing;
  readonly recordsOf: (orgUrl: string) => IdentityRecords;
  /** What the identifier's field is called, in bodies, paths and sort keys. */
  readonly uidField: string;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One operation of the interface: how it is described, and what it does. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Under the prefix, parameters as `:name`. */
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly params?: JsonSchema;
  readonly querystring?: JsonSchema;
  readonly body?: keyof typeof BODIES;
  /** Status and schema of the answer; without a schema it has no body. */
  readonly success: readonly [status: number, schema?: string];
  /** The documented refusals besides 401 and 500. */
  readonly refusals: readonly (404 | 409 | 422)[];
  /** Throws a `Refusal` for anything but success. */
  readonly run: (caller: Caller, parts: RequestParts, occasion: Occasion) => Answer;
}

/**
 * The identity that a call names. Throws the 401 for a credential without the permission, in any environment or in the
 * identity's; the 404 for an identity that does not exist or belongs to another organization.
 */
export function locate(
  { store }: IdentityHalf,
  caller: Caller,
  uid: string,
  wanted: Permission,
): StoredIdentity {
  demandSomewhere(caller, wanted);
  const found = store.find(uid);
  if (found?.orgUrl !== caller.organization.orgUrl) throw notFound();
  demand(caller, found.environment, wanted);
  return found;
}

/** AttributeCollectionCreateOrModifyOutput. */
export function linkedAnswer(
  { uidField }: IdentityHalf,
  status: number,
  uid: string,
  collection: StoredCollection,
): Answer {
  return jsonAnswer(status, { [uidField]: uid, attributeCollection: collectionOutput(collection) });
}

export const NO_CONTENT: Answer = { status: 204, body: new Uint8Array() };
