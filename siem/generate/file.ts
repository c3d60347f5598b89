/** A file under `siem/` that is made from the code. */
export interface GeneratedFile {
  /** Relative to `siem/`, with slashes. */
  readonly path: string;
  readonly content: string;
}

/** A JSON file. Its layout is the formatter's, so only its value is compared. */
export function jsonFile(path: string, value: unknown): GeneratedFile {
  return { path, content: `${JSON.stringify(value, null, 2)}\n` };
}
