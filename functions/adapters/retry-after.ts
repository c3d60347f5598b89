/** A longer wait is no advice but a mistake (or an attack): the next scheduled run comes long before. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;

/** The three forms of HTTP-date that a recipient must accept (RFC 9110 §5.6.7). `Date.parse` takes far more. */
const HTTP_DATES = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]+day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/**
 * How long `Retry-After` asks to wait (RFC 9110 §10.2.3): seconds, or an HTTP-date.
 *
 * @param value the header as received; `undefined` when there was none
 * @param now epoch milliseconds, what a date is measured against
 * @returns milliseconds, 0 for a time that has passed; `undefined` for a value that cannot be read or asks for more
 *   than a day
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const delayMs = /^[+-]?\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : untilDate(text, now);
  if (delayMs === undefined || delayMs > LONGEST_MS) return undefined;
  return Math.max(0, delayMs);
}

function untilDate(text: string, now: number): number | undefined {
  for (const form of HTTP_DATES) {
    const fields = form.exec(text)?.groups;
    if (fields !== undefined) {
      const at = fromFields(fields, now);
      return Number.isNaN(at) ? undefined : at - now;
    }
  }
  return undefined;
}

function fromFields(fields: Record<string, string>, now: number): number {
  const month = MONTHS.indexOf(fields.month ?? '');
  if (month < 0) return Number.NaN;
  const at = (year: number) =>
    Date.UTC(
      year,
      month,
      Number(fields.day),
      Number(fields.hour),
      Number(fields.minute),
      Number(fields.second),
    );
  const year = Number(fields.year);
  if (fields.year?.length !== 2) return at(year);
  // RFC 9110 §5.6.7: a two-digit year that seems more than 50 years ahead is the most recent one with those digits.
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return at(inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury);
}
