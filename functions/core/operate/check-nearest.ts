/** What differs between two names that were meant to be the same, or nothing where they have too little in common. */
export interface Nearest {
  readonly name: string;
  /** `the slash at its end and letter case` */
  readonly difference: string;
}

/** Slips of a finger; more than this is another name. */
const MOST_SLIPS = 3;

/** Of the names that are permitted, the one that was meant: the same but for scheme, slash and case, or a slip. */
export function nearestOf(wanted: string, permitted: readonly string[]): Nearest | undefined {
  const same = permitted
    .map((name) => ({ name, differences: differencesOf(wanted, name) }))
    .filter(({ differences }) => differences !== undefined && differences.length > 0)
    .sort((a, b) => (a.differences?.length ?? 0) - (b.differences?.length ?? 0))[0];
  if (same?.differences !== undefined) {
    return { name: same.name, difference: same.differences.join(' and ') };
  }
  const [closest] = permitted
    .map((name) => ({ name, slips: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ slips }) => slips <= MOST_SLIPS)
    .sort((a, b) => a.slips - b.slips);
  return closest && { name: closest.name, difference: 'its spelling' };
}

/** Absent where more differs than scheme, letter case and slashes at the end. */
function differencesOf(a: string, b: string): string[] | undefined {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left.rest.toLowerCase() !== right.rest.toLowerCase()) return undefined;
  return [
    ...(left.scheme.toLowerCase() === right.scheme.toLowerCase() ? [] : ['its scheme']),
    ...(left.slashes === right.slashes ? [] : ['the slash at its end']),
    ...(left.rest === right.rest ? [] : ['letter case']),
  ];
}

function partsOf(name: string): { scheme: string; rest: string; slashes: string } {
  const [, scheme = '', rest = '', slashes = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)?(.*?)(\/*)$/is.exec(name.trim()) ?? [];
  return { scheme, rest, slashes };
}

/** How many letters must be put in, taken out or exchanged (Levenshtein). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_SLIPS) return MOST_SLIPS + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, exchanged));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
