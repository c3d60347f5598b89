import type { OrglogError } from '../errors.ts';
import type { CursorRow } from '../ports.ts';
import type { SyncReport } from './ports.ts';
import { type FinishedWalk, fromToken } from './position.ts';

/** What a run of the sync counts as it goes, made into its report at the end. */
export class SyncTally {
  pages = 0;
  identities = 0;
  events = 0;
  bytes = 0;
  storedBytes = 0;
  batches = 0;
  adopted = 0;
  announced = 0;
  unconfirmed = 0;
  /** When the walk under way began, once known. */
  walkStartedAt: number | undefined;
  private readonly byAction: Record<string, number> = {};

  /** Gaps are told by `observe`: a report has no figure for them. */
  countGap(): void {}

  countActions(byAction: Readonly<Record<string, number>>): void {
    for (const [action, count] of Object.entries(byAction)) {
      this.byAction[action] = (this.byAction[action] ?? 0) + count;
    }
  }

  report(
    outcome: SyncReport['outcome'],
    facts: { row?: CursorRow | undefined; error?: OrglogError | undefined; startedAt: number; now: number },
  ): SyncReport {
    const { row, error, startedAt, now } = facts;
    const { pages, identities, events, bytes, storedBytes, batches, adopted, announced, unconfirmed } = this;
    const last = row && lastWalk(row);
    const since = last?.startedAt ?? this.walkStartedAt;
    return {
      outcome,
      ...(error && { error }),
      ...{ pages, identities, events, byAction: this.byAction, bytes, storedBytes, batches, adopted },
      announced,
      owed: Object.fromEntries(
        Object.entries(row?.announced ?? {}).map(([destination, reached]) => [
          destination,
          (row?.sequence ?? reached) - reached,
        ]),
      ),
      unconfirmed,
      ...(last && { walk: last.walk }),
      ...(since !== undefined && { snapshotAgeSeconds: Math.max(0, Math.round((now - since) / 1000)) }),
      runMs: now - startedAt,
    };
  }
}

/** The last walk that was finished, where the row can tell. */
function lastWalk(row: CursorRow): FinishedWalk | undefined {
  try {
    return fromToken(row.token).last;
  } catch {
    return undefined;
  }
}
