import type { Progress } from '../local/progress.ts';

/** What a display is told at its start. */
export interface Heading {
  readonly org: string;
  /** Where the log comes from. */
  readonly from: string;
  readonly folder: string;
  readonly once: boolean;
  /** Where it is pushed to, in a few words each. */
  readonly sinks: readonly string[];
}

/** Shows how a session goes. */
export interface LocalDisplay {
  show(progress: Progress): void;
  /** Leaves the output as it should stay. */
  close(): void;
}
