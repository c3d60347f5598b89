import { existsSync } from 'node:fs';
import { OrglogError } from '../functions/core/errors.ts';
import type { CursorRow } from '../functions/core/ports.ts';
import { pathsIn } from './backend.ts';

/** Invented events and real ones must not meet in one SIEM file. @throws OrglogError `configuration` */
export function refuseOtherLog(folder: string, standIn: boolean): void {
  const { provider, state } = pathsIn(folder);
  if (!standIn && existsSync(provider)) {
    throw new OrglogError(
      'configuration',
      `${folder} holds the stand-in's invented events, which must not mix with real ones: name another folder with --data-dir`,
    );
  }
  if (standIn && !existsSync(provider) && existsSync(state)) {
    throw new OrglogError(
      'configuration',
      `${folder} holds a real provider's events, with which invented ones must not mix: give --base-url and --org-url to go on with it, or name another folder with --data-dir`,
    );
  }
}

/** A first token is of no use where a cursor is. @throws OrglogError `configuration` */
export function refuseKnownCursor(row: CursorRow | undefined): void {
  if (row === undefined || (row.token === undefined && row.sequence === 0)) return;
  throw new OrglogError(
    'configuration',
    `--from-token is for a first start, but ${row.org} has a cursor (${row.sequence} batches): leave it out to go on from there, or start anew under another --org or --data-dir`,
  );
}

/** Messages that the local SIEM gave up. */
export function setAside(count: number, reason: string): OrglogError {
  return new OrglogError(
    'storage',
    `${count} message${count === 1 ? ' was' : 's were'} set aside, and their events are missing from the SIEM: ${reason}`,
  );
}
