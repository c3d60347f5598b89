import { type JsonObjectText, parsed } from './concatenated-json.ts';
import type { HecCode } from './hec-answers.ts';

/** One event as HEC took it in. Texts of JSON are as they were sent: no number has been through a double. */
export interface HecEvent {
  /** Epoch seconds, as sent; absent where the sender named none. */
  readonly time?: string;
  readonly host?: string;
  readonly source?: string;
  readonly sourcetype?: string;
  readonly index: string;
  /** JSON text of `event`. */
  readonly event: string;
  /** Indexed fields: name → JSON text of the value. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Which indexes a token may write to. */
export interface IndexRules {
  /** Default: every index. */
  readonly indexes?: readonly string[];
  /** Where an event goes that names none. Default `main`. */
  readonly defaultIndex?: string;
}

/**
 * What HEC makes of one object: the event, or the code it refuses it with.
 *
 * Rules: `event` is required (12) and not blank (13); `fields` is a flat object whose values are scalars or lists of
 * them (15); an index outside the token's list is refused (7). Splunk, "Format events for HTTP Event Collector". A
 * `null` event counts as missing, as in Splunk's own second receiver (OpenTelemetry Collector, splunkhecreceiver).
 */
export function hecEvent({ members }: JsonObjectText, rules: IndexRules): HecEvent | HecCode {
  const event = members.get('event');
  if (event === undefined || event === 'null') return 12;
  if (event === '""') return 13;
  const time = timeOf(members.get('time'));
  const [host, source, sourcetype, index] = ['host', 'source', 'sourcetype', 'index'].map((name) =>
    textOf(members.get(name)),
  );
  if ([time, host, source, sourcetype, index].includes(null)) return 6;
  const fields = flatFields(members.get('fields'));
  if (fields === undefined) return 15;
  const target = index ?? rules.defaultIndex ?? 'main';
  if (rules.indexes !== undefined && !rules.indexes.includes(target)) return 7;
  return {
    ...(time && { time }),
    ...(host && { host }),
    ...(source && { source }),
    ...(sourcetype && { sourcetype }),
    index: target,
    event,
    fields,
  };
}

/** A number, or a string that holds one; `null` where it is neither. */
function timeOf(text: string | undefined): string | undefined | null {
  if (text === undefined) return undefined;
  const bare = text.startsWith('"') ? text.slice(1, -1) : text;
  return /^-?\d+(\.\d+)?$/.test(bare) ? bare : null;
}

function textOf(text: string | undefined): string | undefined | null {
  if (text === undefined) return undefined;
  const value = parsed(text);
  return typeof value === 'string' ? value : null;
}

function flatFields(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return {};
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (!entries.every(([, each]) => [each].flat().every(isScalar))) return undefined;
  return Object.fromEntries(entries.map(([name, each]) => [name, JSON.stringify(each)]));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
