import type { AttributeCollection, IdentityBase, IdentityEnvironment } from './identity.ts';

/** What happened to an identity between two snapshots, or that it was there when one was announced whole. */
export type FeedAction =
  | 'identity.snapshot'
  | 'identity.created'
  | 'identity.modified'
  | 'identity.removed'
  | 'collection.linked'
  | 'collection.modified'
  | 'collection.unlinked'
  | 'credential.used';

/** One line of the identity feed, members in this order. */
export interface FeedEvent {
  readonly action: FeedAction;
  /**
   * ISO 8601 with offset. When the provider says it happened (`createTime`, `lastUpdateTime`, `credentialLastUsed`);
   * of a snapshot, a removal and an unlinking, which the provider dates nowhere, when the walk began.
   */
  readonly timeStampISO: string;
  readonly org: string;
  readonly environment: IdentityEnvironment;
  /** The walk whose snapshot shows it, counted from 1, and when it began. */
  readonly walk: number;
  readonly walkStartedAt: string;
  readonly serviceUid: string;
  /** As it is now; of a removal, as it last was. A snapshot's holds its collections too. */
  readonly identity: IdentityBase & { readonly attributeCollections?: readonly AttributeCollection[] };
  /** Of `collection.*` and `credential.used`: as it is now; of an unlinking, as it last was. */
  readonly collection?: AttributeCollection;
  /** Of `*.modified`: what differs. `from` is absent where it was not there before, `to` where it is no more. */
  readonly changes?: readonly FieldChange[];
}

export interface FieldChange {
  /** `mail`, `givenName`, …; of a collection `attributes.<key>`. */
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}
