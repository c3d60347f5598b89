import { utcTimestamp } from '../ecs/timestamp.ts';
import type { EventLine, EventStream, Sink } from '../ports-delivery.ts';

/** What HEC is told of every event (Splunk, "Format events for HTTP Event Collector"). */
export interface SplunkSettings {
  /** Of the sign-in log's events. Default `orglog:event`: what the add-on knows. */
  readonly sourcetype?: string;
  /** Absent: the token's default index. */
  readonly index?: string;
  readonly host?: string;
  readonly source?: string;
}

/** Of the identity feed's lines: nothing but the add-on reads them. */
const IDENTITY_SOURCETYPE = 'orglog:identity';

const CLOSING_BRACE = 0x7d;
const LF = 0x0a;
const TIME_MEMBER = '"timeStampISO":"';
/** How far into an event its time is looked for, before it is parsed for it. */
const HEAD_BYTES = 256;
const ZERO = 0x30;
/** Where the digits of the seconds lie, what each is worth in ms, and the greatest. */
const PLACES = [
  [17, 10_000, 5],
  [18, 1_000, 9],
  [20, 100, 9],
  [21, 10, 9],
  [22, 1, 9],
] as const;
/** Longer values are no times. */
const LONGEST_TIME = 64;

/**
 * Events as HEC takes them, one after another: `{"time":…,"host":…,"fields":{"event_id":…},"event":…}` and a line feed.
 * `event` is the line's own bytes: what no double can hold stays whole, and what is no JSON makes HEC refuse this event,
 * and only this one.
 */
export function splunkEncoder(settings: SplunkSettings): Sink['encode'] {
  const { sourcetype = 'orglog:event', index, host, source } = settings;
  const constants: Readonly<Record<EventStream, string>> = {
    logs: ascii(JSON.stringify({ host, source, sourcetype, index }).slice(1, -1)),
    identities: ascii(JSON.stringify({ host, source, sourcetype: IDENTITY_SOURCETYPE, index }).slice(1, -1)),
  };
  const times = new Times();
  return (line, { eventId, stream }, into, at) => {
    const ms = times.of(line);
    const time = ms === undefined ? '' : `"time":${inSeconds(ms)},`;
    const head = `{${time}${constants[stream]},"fields":{"event_id":"${eventId}"},"event":`;
    const end = at + head.length + (line.end - line.start) + 2;
    if (end > into.length) return at - end;
    into.write(head, at, 'latin1');
    line.text.copy(into, at + head.length, line.start, line.end);
    into[end - 2] = CLOSING_BRACE;
    into[end - 1] = LF;
    return end;
  };
}

/** Reads events' times. A log is in order: most events share their minute with the one before, and are not parsed. */
class Times {
  /** A time but for its seconds. */
  #minute = '';
  #minuteMs = 0;

  /** Epoch ms of an event's `timeStampISO`; `undefined` where it cannot be read. */
  of(line: EventLine): number | undefined {
    const text = timeIn(line);
    if (text === undefined) return undefined;
    const minute = text.slice(0, 17) + text.slice(23);
    const ms = secondsIn(text);
    if (ms !== undefined && minute === this.#minute) return this.#minuteMs + ms;
    const utc = utcTimestamp(text);
    if (utc === undefined) return undefined;
    const at = Date.parse(utc);
    if (ms !== undefined) {
      this.#minute = minute;
      this.#minuteMs = at - ms;
    }
    return at;
  }
}

/** Ms since the minute began, of a time that ends in `05.678` and its offset. */
function secondsIn(text: string): number | undefined {
  if (text[19] !== '.') return undefined;
  let ms = 0;
  for (const [at, worth, most] of PLACES) {
    const digit = text.charCodeAt(at) - ZERO;
    // Also where it is none: NaN compares as false.
    if (!(digit >= 0 && digit <= most)) return undefined;
    ms += digit * worth;
  }
  return ms;
}

/** With three decimals: several times faster than `toFixed`. */
function inSeconds(ms: number): string {
  const fraction = ms % 1000;
  if (ms < 0) return (ms / 1000).toFixed(3);
  return `${(ms - fraction) / 1000}.${fraction < 100 ? (fraction < 10 ? '00' : '0') : ''}${fraction}`;
}

/** An event's `timeStampISO`. Events are not parsed for it while it lies before any nested object, as is usual. */
function timeIn({ text, start, end }: EventLine): string | undefined {
  const head = text.toString('latin1', start, Math.min(end, start + HEAD_BYTES));
  const from = head.indexOf(TIME_MEMBER) + TIME_MEMBER.length;
  const to = head.indexOf('"', from);
  const nested = head.indexOf('{', 1);
  const plain =
    from > TIME_MEMBER.length &&
    to >= 0 &&
    to - from < LONGEST_TIME &&
    (nested < 0 || from < nested) &&
    head[0] === '{' &&
    head[from - TIME_MEMBER.length - 1] !== '\\';
  return plain ? head.slice(from, to) : parsedTime(text.toString('utf8', start, end));
}

function parsedTime(line: string): string | undefined {
  try {
    const { timeStampISO } = JSON.parse(line);
    return typeof timeStampISO === 'string' ? timeStampISO : undefined;
  } catch {
    return undefined;
  }
}

function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
