import type { OrglogError } from './errors.ts';
import type { CursorRow, Gap } from './ports.ts';
import type { RunReport } from './run.ts';

/** What a run counts as it goes, made into its report at the end. */
export class Tally {
  events = 0;
  bytes = 0;
  storedBytes = 0;
  pages = 0;
  batches = 0;
  adopted = 0;
  repeats = 0;
  announced = 0;
  drift = 0;
  throttles = 0;
  private readonly gaps: Gap[] = [];
  private readonly providerErrors: Record<string, number> = {};

  countGap(gap: Gap): void {
    this.gaps.push(gap);
  }

  countProviderError(what: string): void {
    this.providerErrors[what] = (this.providerErrors[what] ?? 0) + 1;
  }

  report(
    outcome: RunReport['outcome'],
    facts: { row?: CursorRow | undefined; error?: OrglogError | undefined; startedAt: number; now: number },
  ): RunReport {
    const { row, error, startedAt, now } = facts;
    const { events, bytes, storedBytes, pages, batches, adopted, repeats, announced, drift, throttles } =
      this;
    return {
      outcome,
      ...(error && { error }),
      ...{ events, bytes, storedBytes, pages, batches, adopted, repeats, announced, drift, throttles },
      owed: Object.fromEntries(
        Object.entries(row?.announced ?? {}).map(([destination, last]) => [
          destination,
          (row?.sequence ?? last) - last,
        ]),
      ),
      gapSeconds: Math.round(this.gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0) / 1000),
      gaps: this.gaps.length,
      providerErrors: this.providerErrors,
      ...(row?.newestEventAt !== undefined && {
        lagSeconds: Math.max(0, Math.round((now - row.newestEventAt) / 1000)),
      }),
      ...(row && { sequence: row.sequence }),
      runMs: now - startedAt,
    };
  }
}
