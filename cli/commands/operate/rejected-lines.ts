import type { RejectedEvent } from '../../../functions/core/operate/rejected.ts';
import { count } from '../../format.ts';
import type { Column } from '../../table.ts';
import { utc } from './time.ts';

/** Without the events, and without details, which may quote them. */
export const REJECTED_COLUMNS: readonly Column<RejectedEvent>[] = [
  { head: 'REFUSED', of: ({ refusedAt }) => utc(refusedAt), narrow: 'keep' },
  { head: 'BY', of: ({ destination }) => destination },
  { head: 'EVENT', of: ({ key, record }) => record?.eventId ?? key, narrow: 'keep' },
  {
    head: 'WHY',
    of: ({ sent, record, damage = '' }) =>
      `${sent ? '(taken since) ' : ''}${record?.reason ?? `the record cannot be read: ${damage}`}`,
  },
];

/** For programs. The event is its text, or base64 where it is none. */
export function shownEvent(event: RejectedEvent, withEvents: boolean) {
  const { destination, key, refusedAt, sent, record, damage } = event;
  const { eventId, reason, detail, object, line } = record ?? {};
  return {
    ...{ destination, key, refusedAt, sent },
    ...(record && { eventId, reason, object, line }),
    ...(withEvents &&
      record && { ...(detail !== undefined && { detail }), event: record.event.toString('utf8') }),
    ...(damage !== undefined && { damage }),
  };
}

/** What was refused, by reason: the most frequent first. */
export function reasonsOf(events: readonly RejectedEvent[]): string[] {
  const byReason = Map.groupBy(
    events,
    ({ record, damage = '' }) => record?.reason ?? `cannot be read: ${damage}`,
  );
  return [...byReason]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, those]) => `${count(those.length)} × ${reason}`);
}
