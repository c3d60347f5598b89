import type { FeedAction } from '../identities/feed.ts';

/**
 * What a line of the identity feed means in each dialect. The documents that the values are from are named in
 * dialects.ts; here further https://www.elastic.co/docs/reference/ecs/ecs-allowed-values-event-kind (`asset`: the entry of
 * an inventory), CIM's Inventory (dataset User) and OCSF's User Inventory Info (5003).
 */
export interface FeedMeaning {
  readonly ecs: {
    readonly kind: 'asset' | 'event';
    /** Empty for an action that is not listed. */
    readonly category: readonly 'iam'[];
    readonly type: readonly ('change' | 'creation' | 'deletion' | 'info' | 'user')[];
    /** Absent: an inventory's entry is nothing that succeeds or fails. */
    readonly outcome?: 'success' | 'unknown';
  };
  /** Absent: the line is in none of the data models. */
  readonly cim?: FeedCim;
  readonly ocsf: {
    /** 3001 Account Change, 3002 Authentication, 5003 User Inventory Info, 0 Base Event. */
    readonly classUid: 0 | 3001 | 3002 | 5003;
    readonly activityId: number;
    readonly statusId: 0 | 1;
  };
  /** For people. */
  readonly title: string;
}

export type FeedCim =
  | {
      readonly model: 'Change';
      /** The dataset Account_Management. */
      readonly tags: readonly ['change', 'account'];
      readonly action: 'created' | 'deleted' | 'modified';
      readonly status: 'success';
      readonly changeType: 'AAA';
      readonly objectCategory: 'user';
    }
  | { readonly model: 'Inventory'; readonly tags: readonly ['inventory', 'user'] };

/**
 * An identity's collections are attributes of a user: to link one is to change that user. The use of a credential is
 * told by the sign-in log already, in its hour: here it is never counted as a sign-in.
 */
const FEED_ACTIONS: Readonly<Record<FeedAction, FeedMeaning>> = {
  'identity.snapshot': {
    ecs: { kind: 'asset', category: ['iam'], type: ['user', 'info'] },
    cim: { model: 'Inventory', tags: ['inventory', 'user'] },
    ocsf: { classUid: 5003, activityId: 2, statusId: 1 },
    title: 'Identity on record',
  },
  'identity.created': change('created', 'creation', 1, 'Identity created'),
  'identity.modified': change('modified', 'change', 99, 'Identity modified'),
  'identity.removed': change('deleted', 'deletion', 6, 'Identity removed'),
  'collection.linked': change('modified', 'change', 99, 'Attribute collection linked'),
  'collection.modified': change('modified', 'change', 99, 'Attribute collection modified'),
  'collection.unlinked': change('modified', 'change', 99, 'Attribute collection unlinked'),
  'credential.used': {
    ecs: { kind: 'event', category: ['iam'], type: ['user', 'info'], outcome: 'success' },
    ocsf: { classUid: 3002, activityId: 99, statusId: 1 },
    title: 'Credential used',
  },
};

/** Every action with its meaning, in the order of feed.ts. */
export const LISTED_FEED_ACTIONS: readonly (readonly [FeedAction, FeedMeaning])[] = Object.entries(
  FEED_ACTIONS,
) as [FeedAction, FeedMeaning][];

/** What an action means that is not listed, as a later version may write one. */
export const UNLISTED_FEED_ACTION: FeedMeaning = {
  ecs: { kind: 'event', category: [], type: [], outcome: 'unknown' },
  ocsf: { classUid: 0, activityId: 0, statusId: 0 },
  title: 'Unlisted event',
};

const MEANINGS: ReadonlyMap<unknown, FeedMeaning> = new Map(LISTED_FEED_ACTIONS);

/** Look up an action as a line carries it, whatever that is. Never throws. */
export function feedMeaningOf(action: unknown): FeedMeaning {
  return MEANINGS.get(action) ?? UNLISTED_FEED_ACTION;
}

function change(
  action: 'created' | 'deleted' | 'modified',
  type: 'change' | 'creation' | 'deletion',
  activityId: number,
  title: string,
): FeedMeaning {
  return {
    ecs: { kind: 'event', category: ['iam'], type: ['user', type], outcome: 'success' },
    cim: {
      model: 'Change',
      tags: ['change', 'account'],
      action,
      status: 'success',
      changeType: 'AAA',
      objectCategory: 'user',
    },
    ocsf: { classUid: 3001, activityId, statusId: 1 },
    title,
  };
}
