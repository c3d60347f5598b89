/** `flattened` refuses a document whose object goes deeper than 20 (its `depth_limit`). */
export const DEEPEST_LOG_DATA = 15;

/**
 * A path of keys and a value make one term, which Lucene limits to 32,766 bytes: 15 keys of 128 UTF-16 units and a text
 * of 8,191 stay below, whatever they hold. (Fleet gives a `flattened` field no `ignore_above`.)
 */
export const LONGEST_KEY = 128;
export const LONGEST_TEXT = 8191;

/** What separates path and value in that term: no key may hold it. */
export const SEPARATOR = '\u0000';

/**
 * Whether a field of type `flattened` takes this value. Elasticsearch refuses the whole document otherwise, so such a
 * `logData` stays in `event.original` alone.
 * Source: https://www.elastic.co/docs/reference/elasticsearch/mapping-reference/flattened
 */
export function canBeFlattened(value: unknown, depth = DEEPEST_LOG_DATA): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => canBeFlattened(item, depth - 1));
  return Object.keys(value).every(
    (key) =>
      key.length <= LONGEST_KEY &&
      !key.includes(SEPARATOR) &&
      canBeFlattened((value as Readonly<Record<string, unknown>>)[key], depth - 1),
  );
}
