import type { Evidence } from './evidence.ts';
import type { Incident, Targets } from './plan.ts';

/** A whole system with what surrounds it, all of which may be troubled. */
export interface World extends AsyncDisposable {
  readonly name: string;
  readonly targets: Targets;
  /** Carries out one incident of the plan. Rejects only where the world itself is broken. */
  befall(incident: Incident): Promise<void>;
  /** Ends all trouble, and waits until everything that happened was worked off. @throws when that takes too long */
  calm(): Promise<void>;
  /** What is there after the calm, for the audit. */
  evidence(): Promise<Evidence>;
}

export interface WorldOptions {
  /** Everything of this world lies in it. */
  readonly folder: string;
  readonly seed: number;
  readonly eventsPerSecond: number;
}

export const ORGANIZATION = {
  orgUrl: 'https://login.institution.edu/',
  orgDomain: 'institution.edu',
} as const;
export const CREDENTIAL = { username: 'collector', password: 'correct-horse' } as const;
export const IDENTITIES = 400;
