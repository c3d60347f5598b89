const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/i;

/**
 * A moment as a person writes it, as epoch ms; undefined where it is none. Without a zone it is UTC, as everything in
 * the archive is.
 *
 * @param ofDay which end of a day is meant where only the day is named
 */
export function timeAt(text: string, now: number, ofDay: 'start' | 'end'): number | undefined {
  if (text === 'now') return now;
  const ago = /^(\d{1,6})([mhd])$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
  if (DAY.test(text)) {
    const start = realDay(text) ? Date.parse(text) : Number.NaN;
    return finite(ofDay === 'start' ? start : start + UNITS.d - 1);
  }
  const [, day = '', time, zone = 'Z'] = TIME.exec(text) ?? [];
  return realDay(day) ? finite(Date.parse(`${day}T${time}${zone.toUpperCase()}`)) : undefined;
}

/** JavaScript takes the 31st of June for the 1st of July. */
function realDay(day: string): boolean {
  const at = Date.parse(day);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(day);
}

function finite(at: number): number | undefined {
  return Number.isFinite(at) ? at : undefined;
}

/** 2026-01-02 03:04:05Z */
export function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
