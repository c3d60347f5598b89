import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { Identity, IdentityEnvironment } from '../../../functions/core/identities/identity.ts';
import { inTransaction } from '../database.ts';
import { type IdentityChange, makeChanges } from './change.ts';
import type { IdentityListing } from './listing.ts';
import type { Organization } from './permissions.ts';
import { asIdentity, isSame, type Place, type StoredIdentity } from './record.ts';
import type { CollectionName, IdentityRecords } from './records.ts';
import { inventIdentities } from './seed.ts';
import type { IdentityStore } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface SeedOptions {
  readonly environment: IdentityEnvironment;
  readonly count: number;
  readonly seed: number;
  /** Epoch ms of the earliest creation; default: 1,000 days before `toMs`. */
  readonly fromMs?: number;
  /** Epoch ms before which everything happened; default: now. */
  readonly toMs?: number;
}

export interface ChangeOptions {
  readonly environment: IdentityEnvironment;
  readonly count: number;
  readonly seed: number;
}

/** What an administrator of the stand-in can do with identities beyond the interface. All of it or nothing. */
export interface ProviderIdentities {
  /** Add invented identities, older than what is to come, without events in the log. */
  seed(orgUrl: string, options: SeedOptions): void;
  /**
   * Make a seeded mix of creations, modifications, links, attribute changes, unlinks, credential uses and removals, all
   * of them now, with their events in the log. Returns them in the order in which they were made.
   */
  change(orgUrl: string, options: ChangeOptions): IdentityChange[];
  /** Delete an identity: the interface has no operation for it. Throws an `OrglogError` where there is none. */
  remove(orgUrl: string, serviceUid: string): void;
  /** A sign-in with a linked credential, now or at `atMs`. Throws an `OrglogError` where there is none. */
  markCredentialUsed(orgUrl: string, serviceUid: string, credential: CollectionName, atMs?: number): void;
  /** All identities in order of creation, every collection with them. */
  all(orgUrl: string, environment: IdentityEnvironment): Iterable<Identity>;
  /** One identity with every collection, whosever it is. */
  get(serviceUid: string): Identity | undefined;
  count(orgUrl: string, environment: IdentityEnvironment): number;
}

export interface ProviderIdentitiesParts {
  readonly db: DatabaseSync;
  readonly store: IdentityStore;
  readonly listing: IdentityListing;
  readonly organizationOf: (orgUrl: string) => Organization;
  readonly recordsOf: (orgUrl: string) => IdentityRecords;
  readonly now: () => number;
}

export function providerIdentities(parts: ProviderIdentitiesParts): ProviderIdentities {
  const { db, store, listing, organizationOf, recordsOf, now } = parts;
  const occasion = (atMs: number) => ({ atMs, clientIP: '127.0.0.1', newUuid: randomUUID });
  const existing = (orgUrl: string, serviceUid: string): StoredIdentity => {
    const found = store.find(serviceUid);
    if (found?.orgUrl === orgUrl) return found;
    throw new OrglogError(
      'not-found',
      `the provider stand-in has no identity ${serviceUid} of ${orgUrl}: take one from identities.all()`,
    );
  };
  return {
    seed(orgUrl, { environment, count, seed, toMs = now(), fromMs = toMs - 1000 * DAY_MS }) {
      const organization = organizationOf(orgUrl);
      const first = listing.count({ orgUrl, environment });
      inTransaction(db, () => {
        const serial = store.highestRow + 1;
        const source = { organization, environment, count, seed, first, serial, fromMs, toMs };
        for (const identity of inventIdentities(source)) store.insert(identity);
      });
    },
    change(orgUrl, options) {
      const organization = organizationOf(orgUrl);
      const source = { store, records: recordsOf(orgUrl), organization, atMs: now(), ...options };
      return inTransaction(db, () => makeChanges(source));
    },
    remove(orgUrl, serviceUid) {
      inTransaction(db, () => recordsOf(orgUrl).remove(existing(orgUrl, serviceUid), occasion(now())));
    },
    markCredentialUsed(orgUrl, serviceUid, credential, atMs = now()) {
      const identity = existing(orgUrl, serviceUid);
      if (!identity.collections.some((each) => isSame(each, credential))) {
        throw new OrglogError(
          'not-found',
          `identity ${serviceUid} holds no ${credential.uid} of ${credential.authority}: take one of its collections`,
        );
      }
      inTransaction(db, () => recordsOf(orgUrl).use(identity, credential, occasion(atMs)));
    },
    all: (orgUrl, environment) => Iterator.from(store.all(asPlace(orgUrl, environment))).map(asIdentity),
    get(serviceUid) {
      const found = store.find(serviceUid);
      return found && asIdentity(found);
    },
    count: (orgUrl, environment) => listing.count(asPlace(orgUrl, environment)),
  };
}

function asPlace(orgUrl: string, environment: IdentityEnvironment): Place {
  return { orgUrl, environment };
}
