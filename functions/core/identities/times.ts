const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/i;

/** Whether two of a provider's times are the same, however each is spelled: operations may spell them differently. */
export function isSameTime(a: string, b: string): boolean {
  return instant(a) === instant(b);
}

function instant(text: string): number | string {
  const iso = isoTime(text);
  return iso === undefined ? text : Date.parse(iso);
}

/**
 * A provider's time as ISO 8601 with offset; `undefined` for what is no time. One without an offset is in UTC: the
 * document says nothing else, and a time that each reader takes for its own is worse.
 */
export function isoTime(text: string): string | undefined {
  const [, day, time, offset = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined) return undefined;
  const iso = `${day}T${time}${offset}`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}
