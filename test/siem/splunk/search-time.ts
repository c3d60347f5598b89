import { readConf, readLookup, SOURCE_TYPE } from './add-on.ts';
import { settingsNamed, stanzaOf } from './conf.ts';
import { evaluate } from './evaluate.ts';
import { parseExpression, type Value } from './expression.ts';

/** An event as a search sees it. */
export interface Searched {
  readonly fields: Readonly<Record<string, Value>>;
  readonly eventtypes: readonly string[];
  readonly tags: readonly string[];
}

/**
 * What a search makes of an event, in Splunk's order ("The sequence of search-time operations"): the members of the
 * JSON, aliases, calculated fields (side by side), lookups, event types, tags.
 */
export function searchTime(sourceType = SOURCE_TYPE): (line: string) => Searched {
  const props = readConf('props.conf');
  const aliases = settingsNamed(props, sourceType, 'FIELDALIAS-').map(([, value]) => parseAlias(value));
  const calculated = settingsNamed(props, sourceType, 'EVAL-').map(
    ([name, source]) => [name, parseExpression(source)] as const,
  );
  const lookups = settingsNamed(props, sourceType, 'LOOKUP-').map(([, value]) =>
    openLookup(parseLookup(value)),
  );
  const eventtypes = [...readConf('eventtypes.conf')].map(
    ([name, stanza]) => [name, parseSearch(stanza.get('search') ?? '')] as const,
  );
  const tagConf = readConf('tags.conf');

  return (line) => {
    const extracted = flatten(JSON.parse(line));
    for (const { from, to } of aliases) {
      const value = extracted[from];
      if (value !== undefined) extracted[to] = value;
    }
    const fields: Record<string, Value> = { ...extracted, sourcetype: sourceType };
    for (const [name, expression] of calculated) fields[name] = evaluate(expression, extracted);
    for (const lookup of lookups) Object.assign(fields, lookup(fields));
    const found = eventtypes
      .filter(([, terms]) => terms.every(({ field, value }) => fields[field] === value))
      .map(([name]) => name);
    const tags = found.flatMap((name) => [...(tagConf.get(`eventtype=${name}`)?.keys() ?? [])]);
    return { fields, eventtypes: found, tags };
  };
}

function parseAlias(value: string): { from: string; to: string } {
  const [from = '', as, to = '', ...rest] = value.split(' ');
  if (as !== 'AS' || to === '' || rest.length > 0) throw new Error(`not an alias: ${value}`);
  return { from, to };
}

/** `<transform> <input> <input> … OUTPUT <output> …` */
export function parseLookup(value: string): { transform: string; inputs: string[]; outputs: string[] } {
  const [transform = '', ...names] = value.split(' ');
  const at = names.indexOf('OUTPUT');
  if (at < 1 || names.slice(at + 1).length === 0) throw new Error(`not a lookup: ${value}`);
  return { transform, inputs: names.slice(0, at), outputs: names.slice(at + 1) };
}

function openLookup({ transform, inputs, outputs }: ReturnType<typeof parseLookup>) {
  const settings = stanzaOf(readConf('transforms.conf'), transform);
  const { rows } = readLookup(settings.get('filename') ?? '');
  const keyOf = (cells: Readonly<Record<string, unknown>>) => inputs.map((name) => cells[name]).join('\n');
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return (fields: Readonly<Record<string, Value>>): Record<string, Value> => {
    if (inputs.some((name) => typeof fields[name] !== 'string')) return {};
    const row = byKey.get(keyOf(fields));
    const missing = settings.get('default_match') ?? null;
    return Object.fromEntries(outputs.map((name) => [name, row ? row[name] || null : missing]));
  };
}

/** The searches of event types: `field="value"`, all of which hold. */
export function parseSearch(search: string): { field: string; value: string }[] {
  return search.split(' ').map((term) => {
    const [, field, value] = /^(\w+)="([^"*]+)"$/.exec(term) ?? [];
    if (field === undefined || value === undefined) throw new Error(`not a term: ${term}`);
    return { field, value };
  });
}

/** `KV_MODE = json`: a path of members joined by dots, `{}` after an array's, and all values as text, `null` too. */
function flatten(value: unknown): Record<string, Value> {
  const found = new Map<string, string[]>();
  const walk = (at: string, inner: unknown): void => {
    if (Array.isArray(inner)) for (const item of inner) walk(`${at}{}`, item);
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, item] of Object.entries(inner)) walk(at === '' ? key : `${at}.${key}`, item);
    else found.set(at, [...(found.get(at) ?? []), String(inner)]);
  };
  walk('', value);
  return Object.fromEntries(
    [...found].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}
