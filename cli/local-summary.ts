import type { Pushed } from '../local/pushes.ts';
import type { SessionResult } from '../local/session.ts';
import { count, duration, size, some } from './format.ts';

/** One line: what a session did, and what SIEM and sinks hold now. */
export function summary(result: SessionResult, stopped: boolean): string {
  const { org, totals, siem, siemPath, identities, pushed, elapsedMs } = result;
  const { events, pages, batches, bytes, storedBytes, repeats, gaps } = totals;
  const did =
    batches === 0
      ? `nothing new, 0 events in ${some(pages, 'page')}`
      : `${some(events, 'event')} in ${some(pages, 'page')} and ${some(batches, 'batch', 'batches')}, ` +
        `${size(bytes)} (${size(storedBytes)} stored)`;
  return [
    `${org}: ${did}, ${duration(elapsedMs)}`,
    ...(repeats === 0 ? [] : [`${some(repeats, 'event')} read again and left out`]),
    ...(gaps === 0 ? [] : [`${some(gaps, 'gap')} recorded`]),
    `${siemPath} holds ${some(siem.lines, 'event')}`,
    ...(identities === undefined ? [] : [identitiesInWords(identities)]),
    ...pushed.map(inWords),
    ...(pushed.some(({ standIn }) => standIn) ? ['stand-ins keep theirs in memory only'] : []),
    ...(stopped ? ['stopped; the next start goes on from here'] : []),
  ].join('; ');
}

/** `identities: 5,000 in the snapshot, 12 changes in 2 walks; … holds 5,012 lines` */
function identitiesInWords({ walks, siem, siemPath }: NonNullable<SessionResult['identities']>): string {
  const found = `${count(walks.identities)} in the snapshot, ${some(walks.changes, 'change')}`;
  return `identities: ${found} in ${some(walks.walks, 'walk')}; ${siemPath} holds ${some(siem.lines, 'line')}`;
}

/** `splunk: 49,999 events, 1 rejected, 2 batches wait` */
function inWords({ name, arrived, rejected, waiting, dead, isNew }: Pushed): string {
  return [
    `${name}: ${arrived === 0 && waiting === 0 ? 'nothing new, 0 events' : some(arrived, 'event')}`,
    ...(isNew ? ['new here: it gets what is collected from now on'] : []),
    ...(rejected === 0 ? [] : [`${count(rejected)} rejected (see rejected/ in the archive)`]),
    ...(waiting === 0 ? [] : [`${some(waiting, 'batch', 'batches')} queued`]),
    ...(dead === 0 ? [] : [`${some(dead, 'batch', 'batches')} set aside`]),
  ].join(', ');
}
