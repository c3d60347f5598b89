export type Members = Readonly<Record<string, unknown>>;

/** A line's JSON value; `undefined` where it is none. */
export function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Text that says something. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without repetitions; `undefined` where nothing is left. */
export function distinct(...values: readonly (string | undefined)[]): string[] | undefined {
  const list: string[] = [];
  for (const value of values) if (value !== undefined && !list.includes(value)) list.push(value);
  return list.length > 0 ? list : undefined;
}
