import type { FeedMeaning } from '../vocabulary/feed-actions.ts';
import type { ECS_VERSION } from './document.ts';

/** What every document of the identity feed says of where it comes from. */
export const IDENTITY_DATASET = 'orglog.identities';
export const IDENTITY_OBSERVER = {
  vendor: 'identity provider',
  product: 'identity records',
  type: 'identity-provider',
} as const;
export const IDENTITY_TAGS = ['forwarded', 'orglog-identities'] as const;

/** What could not be indexed (`canBeFlattened`) and is in `event.original` alone. */
export const COLLECTION_TAG = 'orglog-collection-left-out';
export const CHANGES_TAG = 'orglog-changes-left-out';

/**
 * One line of the identity feed in Elastic Common Schema. The feed tells whom something happened to and never who did
 * it: by ECS ("User fields usage") the one user that an event mentions is at the root, and `user.target` stays empty.
 */
export interface EcsIdentityDocument {
  '@timestamp': string;
  ecs: { version: typeof ECS_VERSION };
  event: {
    kind: FeedMeaning['ecs']['kind'] | 'pipeline_error';
    category?: FeedMeaning['ecs']['category'];
    type?: FeedMeaning['ecs']['type'];
    outcome?: NonNullable<FeedMeaning['ecs']['outcome']>;
    /** The feed's, listed or not. */
    action?: string;
    /** When the walk began that shows it: of two documents of one identity the later one is the newer state. */
    created?: string;
    module: 'orglog';
    dataset: typeof IDENTITY_DATASET;
    id: string;
    /** The line as the archive holds it, byte for byte. */
    original: string;
  };
  error?: { message: string };
  /** As the identity is now; of a removal, as it last was. */
  user?: {
    id?: string;
    /** The mail address, else the identifier. */
    name?: string;
    email?: string;
    full_name?: string;
    /** What became another, as it is now. */
    changes?: { email?: string; full_name?: string };
  };
  organization?: { name: string };
  observer: typeof IDENTITY_OBSERVER;
  related?: { user: string[] };
  orglog: {
    org: string;
    environment?: string;
    walk?: number;
    created_at?: string;
    updated_at?: string;
    authority?: string;
    authority_type?: string;
    /** The collection that it is about; of a snapshot, all of them. */
    collection?: object;
    /** Field → what it was and is. */
    changes?: object;
  };
  tags: string[];
}
