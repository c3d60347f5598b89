const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))?$/;

const MINUTE_MS = 60_000;
const LATEST_OFFSET_HOURS = 18;

/**
 * An ISO 8601 time as Elasticsearch's `date` processor gives it (`2026-01-02T03:04:05.678Z`: UTC, three decimals, the
 * rest cut off); `undefined` where it is none. Strict where `Date.parse` is not: there is no 30 February.
 */
export function utcTimestamp(text: string): string | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHours, offsetMinutes] =
    match;
  const date = new Date(0);
  // Not by Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  if (sign !== undefined) {
    if (Number(offsetHours) > LATEST_OFFSET_HOURS || Number(offsetMinutes) > 59) return undefined;
    const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
    date.setTime(date.getTime() - (sign === '-' ? -offsetMs : offsetMs));
  }
  const shown = date.toISOString();
  // Beyond four digits of a year ISO 8601 needs a sign, which a date field does not take.
  return shown.length === 24 ? shown : undefined;
}
