import { REDACTED } from './redact.ts';

/** Longest text in a log line, in UTF-16 units: a message, not a document. */
const MAX_TEXT = 2000;

const SECRET_LOOKING: readonly (readonly [RegExp, string])[] = [
  // The provider's tokens are UUIDs (logs-v1.md, `nextToken`).
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, REDACTED],
  // What follows must look encoded, or "HTTP Basic credentials" would lose its last word.
  [/\b([Bb]asic|[Bb]earer)\s+(?=.[\w/.~-]*?[A-Z\d+=])[\w+/=.~-]{4,}/g, `$1 ${REDACTED}`],
  // An assignment, as in a query, in JSON or in a dump of options.
  [
    /\b(nextToken|password|passwd|authorization)(["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s"'&;,]+)/gi,
    `$1$2${REDACTED}`,
  ],
  // Credentials before the host of a URL.
  [/(:\/\/)[^\s/@]+@/g, `$1${REDACTED}@`],
];

/**
 * The last net before a log line: takes out of a text what looks like a token or a credential. Whoever writes a message
 * keeps secrets out of it where they are known (redact.ts); here they are not known any more, only their looks.
 */
export function scrub(text: string): string {
  let scrubbed = text;
  for (const [pattern, replacement] of SECRET_LOOKING) scrubbed = scrubbed.replace(pattern, replacement);
  return scrubbed.slice(0, MAX_TEXT);
}

/** The same for the names of a record, counts adding up where two become one. */
export function scrubKeys(counts: Readonly<Record<string, number>>): Record<string, number> {
  const scrubbed = new Map<string, number>();
  for (const [name, count] of Object.entries(counts)) {
    scrubbed.set(scrub(name), (scrubbed.get(scrub(name)) ?? 0) + count);
  }
  return Object.fromEntries(scrubbed);
}
