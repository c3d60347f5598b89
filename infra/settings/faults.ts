/** Where in the file: member names and list positions. */
export type Path = readonly PropertyKey[];

/** One thing that is wrong with the settings. */
export interface Fault {
  readonly path: Path;
  /** What is expected, and why where that helps. */
  readonly expected: string;
}

/** Longest part of a value that a fault shows, in UTF-16 units. */
const MAX_SHOWN = 120;

/** `organizations[3].orgUrl is "institution.edu": expected …` */
export function describeFault(file: unknown, { path, expected }: Fault): string {
  return `${written(path)} ${shown(at(file, path))}: ${expected}`;
}

function written(path: Path): string {
  if (path.length === 0) return 'the file';
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

function at(file: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    file,
  );
}

/** No setting is meant to hold a secret, but people put credentials into URLs: such a value is not repeated. */
function shown(value: unknown): string {
  if (value === undefined) return 'is missing';
  const json = JSON.stringify(value);
  if (/\/\/[^/]*@/.test(json)) return 'is not shown (a URL in it holds an @, and so perhaps a credential)';
  return `is ${json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json}`;
}
