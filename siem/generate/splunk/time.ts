/** Epoch seconds of an ISO 8601 time with `Z` or an offset; a fraction is left out. Nothing for what is none. */
export function secondsOf(field: string): string {
  return `strptime(replace(replace(replace(${field}, "[.,][0-9]+", ""), "[Zz]$", "+00:00"), "([+-][0-9]{2})([0-9]{2})$", "\\1:\\2"), "%Y-%m-%dT%H:%M:%S%:z")`;
}
