const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?$/;

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTE_MS = 60_000;
const LATEST_OFFSET_HOURS = 18;

/**
 * An ISO 8601 time as Elasticsearch's `date` processor gives it (`2026-01-02T03:04:05.678Z`: UTC, three decimals, the
 * rest cut off); `undefined` where it is none. Strict where `Date.parse` is not: there is no 30 February.
 */
export function utcTimestamp(text: string): string | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year = '', month, day, hour, minute, second = '00', fraction = '', sign, hours, minutes] = match;
  if (Number(day) < 1 || Number(day) > daysIn(Number(year), Number(month))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}Z`;
  if (sign === undefined) return written;
  if (Number(hours) > LATEST_OFFSET_HOURS || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  if (offsetMs === 0) return written;
  const shifted = new Date(Date.parse(written) - (sign === '-' ? -offsetMs : offsetMs)).toISOString();
  // Beyond four digits of a year ISO 8601 needs a sign, which a date field does not take.
  return shifted.length === written.length ? shifted : undefined;
}

/** 0 in a month that there is not. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 0);
}
