/** What one check found. */
export interface Verdict {
  /** `unknown`: it could not be checked, which fails nothing. */
  readonly verdict: 'ok' | 'failed' | 'unknown';
  /** What is so, half a sentence. */
  readonly said: string;
  /** What to do about it. Absent where nothing is to be done, or `said` tells already. */
  readonly remedy?: string;
}

/** A verdict, and on what. */
export interface CheckLine extends Verdict {
  /** `settings`, `provider`, or the id of an organization or a destination. */
  readonly subject: string;
  /** What was looked at: for programs. */
  readonly check: CheckName;
}

export type CheckName =
  | 'settings'
  | 'system'
  | 'reachable'
  | 'clock'
  | 'secret'
  | 'credential'
  | 'orgUrl'
  | 'identities'
  | 'archive'
  | 'cursors'
  | 'ledger'
  | 'queue'
  | 'consumer';

export function ok(said: string): Verdict {
  return { verdict: 'ok', said };
}

export function failed(said: string, remedy?: string): Verdict {
  return { verdict: 'failed', said, ...(remedy !== undefined && { remedy }) };
}

export function unknown(said: string, remedy?: string): Verdict {
  return { verdict: 'unknown', said, ...(remedy !== undefined && { remedy }) };
}

/** A verdict as one sentence. */
export function inWords({ said, remedy }: Verdict): string {
  return remedy === undefined ? said : `${said.replace(/\.$/, '')}: ${remedy}`;
}
