import { isIP } from 'node:net';

/** What a template's mapping says of one field; any other field is taken as it is. */
export type FieldType = 'boolean' | 'date' | 'flattened' | 'ip' | 'keyword' | 'long';

/** Dotted path → type. */
export type Mapping = Readonly<Record<string, FieldType>>;

/** Why a document does not fit its mapping (Elasticsearch's `document_parsing_exception`), or `undefined` when it does. */
export function misfit(document: object, mapping: Mapping): string | undefined {
  for (const [path, type] of Object.entries(mapping)) {
    for (const value of valuesAt(document, path)) {
      if (value !== null && value !== undefined && !FITS[type](value)) {
        return `failed to parse field [${path}] of type [${type}]`;
      }
    }
  }
  return undefined;
}

/** `strict_date_optional_time||epoch_millis`, the default of date fields. */
export function isDate(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'string') return false;
  const isoLike = /^\d{4}(-\d{2}(-\d{2}(T\d{2}(:\d{2}(:\d{2}([.,]\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;
  return /^-?\d+$/.test(value) || (isoLike.test(value) && !Number.isNaN(Date.parse(value.replace(',', '.'))));
}

const FITS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  date: isDate,
  flattened: (value) => typeof value === 'object',
  ip: (value) => typeof value === 'string' && isIP(value.replace(/\/\d+$/, '')) > 0,
  keyword: (value) => typeof value !== 'object',
  long: (value) => typeof value !== 'object' && Number.isFinite(Number(value)),
};

/** A path's values: names joined by dots or nested (Elasticsearch reads both alike), lists opened. */
function valuesAt(node: unknown, path: string): unknown[] {
  if (Array.isArray(node)) return node.flatMap((each) => valuesAt(each, path));
  if (path === '') return [node];
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (path === name) return valuesAt(value, '');
    return path.startsWith(`${name}.`) ? valuesAt(value, path.slice(name.length + 1)) : [];
  });
}
