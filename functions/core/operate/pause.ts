import { OrglogError } from '../errors.ts';
import type { RowKey } from '../ports.ts';
import type { OperatorCursors } from './ports.ts';

/**
 * Stop an organization's runs, or let them go on; a run under way ends first. Safe to repeat.
 *
 * @throws OrglogError `not-found` where it never ran: there is nothing to stop
 */
export async function setPaused(
  cursors: Pick<OperatorCursors, 'setPaused'>,
  key: RowKey,
  paused: boolean,
  signal: AbortSignal,
): Promise<void> {
  if ((await cursors.setPaused(key, paused, signal)) === 'written') return;
  throw neverRan(key);
}

/** There is no cursor row. */
export function neverRan({ org, stream }: RowKey): OrglogError {
  return new OrglogError(
    'not-found',
    `${org} has no cursor for ${stream}: it never ran, or is called otherwise. See \`orglog status\``,
  );
}
