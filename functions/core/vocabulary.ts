import { type Activity, cimOf, ecsOf, ocsfOf } from './vocabulary/activities.ts';
import type { CimMeaning, EcsMeaning, OcsfMeaning, Outcome } from './vocabulary/dialects.ts';
import { LOG_SUBTYPES, LOG_TYPES, type LogSubtype, type LogType } from './vocabulary/enumerations.ts';
import { OUTCOMES, PAIRS } from './vocabulary/pairs.ts';

/** What a (logType, logSubtype) means in each dialect. */
export interface Meaning {
  readonly activity: Activity;
  readonly outcome: Outcome;
  /**
   * Whether the event counts as one attempt to sign in: exactly then its ECS category is `authentication` with a known
   * outcome, and it is in CIM's Authentication.
   */
  readonly signIn: boolean;
  readonly ecs: EcsMeaning;
  /** Absent: the event is in none of the data models, and gets no tag. */
  readonly cim?: CimMeaning;
  readonly ocsf: OcsfMeaning;
}

/** A row of the vocabulary. */
export interface Pair {
  readonly logType: LogType;
  readonly logSubtype: LogSubtype;
  readonly meaning: Meaning;
}

/** Every listed type with every listed subtype, in the order of the document. */
export const LISTED_PAIRS: readonly Pair[] = LOG_TYPES.flatMap((logType) =>
  LOG_SUBTYPES.map((logSubtype) => {
    const row = PAIRS[logType];
    const faulty = logSubtype === 'error';
    return {
      logType,
      logSubtype,
      meaning: meaning(row[logSubtype] ?? row.otherwise, OUTCOMES[logSubtype], faulty),
    };
  }),
);

/** What a pair with an unlisted value means: an event of unknown outcome, and nothing that anybody counts. */
export const UNLISTED: Meaning = meaning('unlisted', 'unknown', false);

const MEANINGS: ReadonlyMap<string, ReadonlyMap<string, Meaning>> = new Map(
  LOG_TYPES.map((logType) => [
    logType,
    new Map(
      LISTED_PAIRS.filter((pair) => pair.logType === logType).map((pair) => [pair.logSubtype, pair.meaning]),
    ),
  ]),
);

/** Look up a pair as an event carries it, whatever that is. Never throws. */
export function meaningOf(logType: unknown, logSubtype: unknown): Meaning {
  if (typeof logType !== 'string' || typeof logSubtype !== 'string') return UNLISTED;
  return MEANINGS.get(logType)?.get(logSubtype) ?? UNLISTED;
}

function meaning(activity: Activity, outcome: Outcome, faulty: boolean): Meaning {
  const cim = cimOf(activity, outcome, faulty);
  return {
    activity,
    outcome,
    signIn: activity === 'attempt',
    ecs: ecsOf(activity, outcome),
    ...(cim && { cim }),
    ocsf: ocsfOf(activity, outcome),
  };
}
