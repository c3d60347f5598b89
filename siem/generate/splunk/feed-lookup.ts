import { type FeedMeaning, LISTED_FEED_ACTIONS } from '../../../functions/core/vocabulary/feed-actions.ts';
import { csv } from './csv.ts';

/** What a line of the identity feed is looked up by: its own `action`, which CIM has other values for. */
export const FEED_ACTION_FIELD = 'feed_action';

/** What a listed action tells. */
export const FEED_FIELDS = [
  'cim_model',
  'action',
  'status',
  'change_type',
  'object_category',
  'signature',
] as const;

/** The vocabulary of the feed as a Splunk lookup: a row an action, an empty cell where CIM says nothing. */
export function feedLookup(): string {
  const columns = [FEED_ACTION_FIELD, ...FEED_FIELDS];
  return csv(
    columns,
    LISTED_FEED_ACTIONS.map(([action, meaning]) => ({ [FEED_ACTION_FIELD]: action, ...cellsOf(meaning) })),
  );
}

function cellsOf({ cim, title }: FeedMeaning): Readonly<Record<(typeof FEED_FIELDS)[number], string>> {
  const change = cim?.model === 'Change' ? cim : undefined;
  return {
    cim_model: cim?.model ?? '',
    action: change?.action ?? '',
    status: change?.status ?? '',
    change_type: change?.changeType ?? '',
    object_category: change?.objectCategory ?? '',
    signature: title,
  };
}
