import type { Day, RowKey } from './ports.ts';

const DAY_MS = 86_400_000;
const DAYS_KEPT = 100;

/** Identifiers of organizations and destinations: safe in keys, names and messages. */
export const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** The UTC day of a time. */
export function dayOf(epochMs: number): Day {
  return new Date(Math.floor(epochMs / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
}

/** What a key is made of: all of it from the row, nothing from events or a run's own clock (design: a put repeated by
 * any later run goes to the same key, and write-once then shows what a dead run left). */
interface KeyParts extends RowKey {
  readonly epoch: string;
  readonly days: Readonly<Record<Day, number>>;
}

/**
 * `logs/org=<org>/dt=YYYY-MM-DD/<epoch>-<sequence, 12 digits>.ndjson.gz`; of the stream `identities.prod`
 * `identities/org=<org>/env=prod/dt=…`. `undefined` once its day was pruned.
 */
export function objectKey(row: KeyParts, sequence: number): string | undefined {
  const day = dayOfSequence(row.days, sequence);
  if (day === undefined) return undefined;
  const name = `${row.epoch}-${String(sequence).padStart(12, '0')}.ndjson.gz`;
  const [kind, environment] = row.stream.split('.');
  const folder = environment === undefined ? '' : `env=${environment}/`;
  return `${kind}/org=${row.org}/${folder}dt=${day}/${name}`;
}

function dayOfSequence(days: Readonly<Record<Day, number>>, sequence: number): Day | undefined {
  return inOrder(days).findLast(([, first]) => first <= sequence)?.[0];
}

/**
 * `days` with `today` as the day of the next key. A day under which nothing was committed is renamed; a clock that
 * went back changes nothing. Keeps the last 100 days, and all that is still needed to announce from `oldestOwed` on.
 */
export function withToday(
  days: Readonly<Record<Day, number>>,
  nextSequence: number,
  today: Day,
  oldestOwed: number,
): Readonly<Record<Day, number>> {
  const entries = inOrder(days);
  const last = entries.at(-1);
  if (last !== undefined && last[0] >= today) return days;
  if (last?.[1] === nextSequence) entries.pop();
  entries.push([today, nextSequence]);
  while (entries.length > DAYS_KEPT && (entries[1]?.[1] ?? 0) <= oldestOwed) entries.shift();
  return Object.fromEntries(entries);
}

/** A map in DynamoDB has no order of its own. */
function inOrder(days: Readonly<Record<Day, number>>): [Day, number][] {
  return Object.entries(days).sort(([a], [b]) => (a < b ? -1 : 1));
}
