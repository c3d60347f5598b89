/** What an audit found. */
export interface Finding {
  readonly kind: FindingKind;
  /** `hole`: events are missing or damaged; `doubt`: it cannot be shown that none are; `note`: worth knowing. */
  readonly severity: 'hole' | 'doubt' | 'note';
  readonly sequence?: number;
  readonly key?: string;
  readonly message: string;
}

export type FindingKind =
  /** A committed batch without its object. */
  | 'missing'
  /** Its content cannot be read, or is not what its metadata says. */
  | 'content'
  /** Its metadata is not ours, or was damaged. */
  | 'metadata'
  /** Written long after it was collected. */
  | 'rewritten'
  /** It does not begin where the one before it ended. */
  | 'chain'
  /** A stretch of the log that could not be read, as recorded. */
  | 'gap'
  /** An operator set the cursor back. */
  | 'rewound'
  /** An object that no run of ours writes. */
  | 'foreign'
  /** One of ours, but not where the row has it. */
  | 'misplaced'
  /** Numbers past the row's: the table is older than the archive. */
  | 'beyond'
  /** Put, and not committed (yet). */
  | 'uncommitted'
  /** The provider has events that the archive lacks. */
  | 'not-archived'
  /** The archive has more than the provider. */
  | 'extra';

export interface Verdict {
  /** `whole`: no hole and no doubt. */
  readonly verdict: 'whole' | 'doubtful' | 'holes';
  readonly holes: number;
  readonly doubts: number;
}

/** Counts findings as they pass. */
export class FindingTally {
  holes = 0;
  doubts = 0;

  add(finding: Finding): { readonly kind: 'finding'; readonly finding: Finding } {
    if (finding.severity === 'hole') this.holes++;
    if (finding.severity === 'doubt') this.doubts++;
    return { kind: 'finding', finding };
  }

  get verdict(): Verdict {
    const { holes, doubts } = this;
    return { verdict: holes > 0 ? 'holes' : doubts > 0 ? 'doubtful' : 'whole', holes, doubts };
  }
}
