const DIRECTIVES: Readonly<Record<string, string>> = {
  '%Y': '(?<year>\\d{4})',
  '%m': '(?<month>\\d{2})',
  '%d': '(?<day>\\d{2})',
  '%H': '(?<hour>\\d{2})',
  '%M': '(?<minute>\\d{2})',
  '%S': '(?<second>\\d{2})',
  '%3N': '(?<fraction>\\d{3})',
  '%6N': '(?<fraction>\\d{6})',
  '%:z': '(?<sign>[+-])(?<offsetHours>\\d{2}):(?<offsetMinutes>\\d{2})',
};

/**
 * Epoch seconds; `null` where the text is not of the format. As strict as the directives are documented ("Date and time
 * format variables"): exactly so many digits, exactly +hh:mm. Splunk may take more; what this takes, it takes.
 */
export function strptime(text: string, format: string): number | null {
  const pattern = format.replace(/%(?:\d?[A-Za-z]|:z)|[^%]/g, (part) => {
    if (!part.startsWith('%')) return part.replace(/[.*+?^${}()|[\]\\]/, '\\$&');
    const directive = DIRECTIVES[part];
    if (directive === undefined) throw new Error(`strptime does not know ${part}`);
    return directive;
  });
  const found = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (!found) return null;
  const { year, month, day, hour, minute, second, fraction = '0', sign, offsetHours, offsetMinutes } = found;
  const utc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  if (new Date(utc).getUTCDate() !== Number(day)) return null;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60 * (sign === '-' ? -1 : 1);
  return utc / 1000 - offset + Number(`0.${fraction}`);
}
