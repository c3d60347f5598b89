import { LOG_SUBTYPES, LOG_TYPES, SERVICES } from './vocabulary/enumerations.ts';

const ENUMERATIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  logType: new Set(LOG_TYPES),
  logSubtype: new Set(LOG_SUBTYPES),
  service: new Set(SERVICES),
};

/** The end of the year 9999: later times have no four-digit ISO form. */
const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What the sample of a page tells of one event. */
export interface EventGlance {
  /** Epoch ms of `timeStampISO`; absent where it cannot be read. */
  readonly at?: number;
  /** What does not fit the document, in words: the event is passed on all the same. */
  readonly drift: readonly string[];
}

/** Look at one event's JSON: its time, and whether it keeps to the documented vocabulary. Never throws. */
export function glanceAt(line: Buffer): EventGlance {
  let event: unknown;
  try {
    event = JSON.parse(line.toString('utf8'));
  } catch {
    return { drift: ['an event is not valid JSON'] };
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return { drift: [] };
  const fields = event as Record<string, unknown>;
  const drift: string[] = [];
  for (const [field, known] of Object.entries(ENUMERATIONS)) {
    const value = fields[field];
    if (value !== undefined && !(typeof value === 'string' && known.has(value)))
      drift.push(`unlisted ${field} ${nameable(value)}`);
  }
  const at = typeof fields.timeStampISO === 'string' ? Date.parse(fields.timeStampISO) : Number.NaN;
  if (!(at >= 0 && at <= LATEST_TIME)) {
    drift.push('an event has no readable timeStampISO');
    return { drift };
  }
  return { at, drift };
}

/** Only a short plain word may reach a log line: anything else could be personal. */
function nameable(value: unknown): string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,40}$/.test(value) ? value : 'value';
}
