import type { DatabaseSync } from 'node:sqlite';
import { OrglogError } from '../../../functions/core/errors.ts';
import type { LogEvent } from '../event.ts';
import { ChangeLog } from './events.ts';
import { IdentityListing } from './listing.ts';
import type { IdentityHalf } from './operation.ts';
import type { Organization } from './permissions.ts';
import { type ProviderIdentities, providerIdentities } from './provider-identities.ts';
import { IdentityRecords } from './records.ts';
import { IdentityStore } from './store.ts';

export interface IdentityHalfOptions {
  readonly db: DatabaseSync;
  readonly organizations: readonly Organization[];
  readonly uidField: string;
  readonly now: () => number;
  /** Append to an organization's log. */
  readonly append: (orgUrl: string, events: readonly LogEvent[]) => void;
}

/** Throws an `OrglogError` for a `uidField` that cannot be one. */
export function checkUidField(uidField: string): void {
  if (!/^[A-Za-z]\w*$/.test(uidField) || uidField === 'id') {
    throw new OrglogError(
      'configuration',
      `the identifier's field cannot be called ${JSON.stringify(uidField)}: use letters and digits, and not "id"`,
    );
  }
}

/** Put the identity half together on the database of the log half. */
export function createIdentityHalf(options: IdentityHalfOptions): {
  readonly half: IdentityHalf;
  readonly administration: ProviderIdentities;
} {
  const { db, organizations, uidField, now, append } = options;
  const store = new IdentityStore(
    db,
    organizations.map(({ orgUrl }) => orgUrl),
  );
  const listing = new IdentityListing(db, store);
  const records = new Map(
    organizations.map((organization) => {
      const log = new ChangeLog(organization, uidField, append);
      return [organization.orgUrl, new IdentityRecords(store, organization, log)];
    }),
  );
  const known = <T>(orgUrl: string, found: T | undefined): T => {
    if (found !== undefined) return found;
    throw new OrglogError(
      'configuration',
      `the provider stand-in has no organization ${orgUrl}: name one it was started with`,
    );
  };
  const recordsOf = (orgUrl: string) => known(orgUrl, records.get(orgUrl));
  const organizationOf = (orgUrl: string) =>
    known(
      orgUrl,
      organizations.find((each) => each.orgUrl === orgUrl),
    );
  return {
    half: { store, listing, recordsOf, uidField },
    administration: providerIdentities({ db, store, listing, organizationOf, recordsOf, now }),
  };
}
