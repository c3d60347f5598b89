import { describe, expect, it } from 'vitest';
import type { FeedAction } from '../../functions/core/identities/feed.ts';
import {
  type FeedMeaning,
  feedMeaningOf,
  LISTED_FEED_ACTIONS,
  UNLISTED_FEED_ACTION,
} from '../../functions/core/vocabulary/feed-actions.ts';

/** ECS: kind, category and types (both are expected of `iam`), outcome; CIM: model, action; OCSF: type, status. */
const TABLE: Readonly<Record<FeedAction, readonly [ecs: string, cim: string, ocsf: string]>> = {
  'identity.snapshot': ['asset iam user+info', 'Inventory', '500302/1'],
  'identity.created': ['event iam user+creation success', 'Change created user AAA', '300101/1'],
  'identity.modified': ['event iam user+change success', 'Change modified user AAA', '300199/1'],
  'identity.removed': ['event iam user+deletion success', 'Change deleted user AAA', '300106/1'],
  'collection.linked': ['event iam user+change success', 'Change modified user AAA', '300199/1'],
  'collection.modified': ['event iam user+change success', 'Change modified user AAA', '300199/1'],
  'collection.unlinked': ['event iam user+change success', 'Change modified user AAA', '300199/1'],
  'credential.used': ['event iam user+info success', 'none', '300299/1'],
};

function shown({ ecs, cim, ocsf }: FeedMeaning): string[] {
  const change = cim && 'action' in cim ? [cim.action, cim.objectCategory, cim.changeType] : [];
  return [
    [ecs.kind, ...ecs.category, ecs.type.join('+'), ...(ecs.outcome === undefined ? [] : [ecs.outcome])].join(
      ' ',
    ),
    [cim?.model ?? 'none', ...change].join(' '),
    `${ocsf.classUid * 100 + ocsf.activityId}/${ocsf.statusId}`,
  ];
}

describe('the vocabulary of the identity feed', () => {
  it.each(Object.entries(TABLE))('%s has its three mappings', (action, mappings) => {
    expect(shown(feedMeaningOf(action))).toStrictEqual(mappings);
  });

  it('has these eight actions, each with a title of its own', () => {
    expect(LISTED_FEED_ACTIONS.map(([action]) => action)).toStrictEqual(Object.keys(TABLE));
    expect(LISTED_FEED_ACTIONS).toHaveLength(8);
    expect(new Set(LISTED_FEED_ACTIONS.map(([, { title }]) => title)).size).toBe(8);
  });

  it('is never a sign-in, whatever the action', () => {
    for (const [, { ecs, cim, ocsf }] of LISTED_FEED_ACTIONS) {
      expect(ecs.category).toStrictEqual(['iam']);
      expect(cim?.tags ?? []).not.toContain('authentication');
      expect(ocsf.classUid === 3002 && ocsf.activityId === 1).toBe(false);
    }
  });

  it.each(['identity.frozen', '', '__proto__', 'toString', null, 7, ['identity.created']])(
    'calls %j an event of unknown outcome, in no data model',
    (action) => {
      expect(feedMeaningOf(action)).toBe(UNLISTED_FEED_ACTION);
      expect(UNLISTED_FEED_ACTION.ecs).toStrictEqual({
        kind: 'event',
        category: [],
        type: [],
        outcome: 'unknown',
      });
      expect(UNLISTED_FEED_ACTION).not.toHaveProperty('cim');
    },
  );
});
