import { utcTimestamp } from '../ecs/timestamp.ts';
import type { EventPlace } from '../ports-delivery.ts';

/** What HEC is told of every event (Splunk, "Format events for HTTP Event Collector"). */
export interface SplunkSettings {
  /** Default `orglog:event`: what the add-on knows. */
  readonly sourcetype?: string;
  /** Absent: the token's default index. */
  readonly index?: string;
  readonly host?: string;
  readonly source?: string;
}

const TIME_MEMBER = Buffer.from('"timeStampISO":"');
const OPEN_BRACE = 0x7b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer values are no times. */
const LONGEST_TIME = 64;

/**
 * Events as HEC takes them, one after another: `{"time":…,"host":…,"fields":{"event_id":…},"event":…}` and a line feed.
 * `event` is the line's own bytes: what no double can hold stays whole, and what is no JSON makes HEC refuse this event,
 * and only this one.
 */
export function splunkEncoder(settings: SplunkSettings): (line: Buffer, place: EventPlace) => Uint8Array {
  const { sourcetype = 'orglog:event', index, host, source } = settings;
  const constant = ascii(JSON.stringify({ host, source, sourcetype, index }).slice(1, -1));
  return (line, { eventId }) => {
    const at = timeOf(line);
    const time = at === undefined ? '' : `"time":${(at / 1000).toFixed(3)},`;
    const head = `{${time}${constant},"fields":{"event_id":"${eventId}"},"event":`;
    const encoded = Buffer.allocUnsafe(head.length + line.length + 2);
    encoded.write(head, 'latin1');
    encoded.set(line, head.length);
    encoded.write('}\n', head.length + line.length, 'latin1');
    return encoded;
  };
}

/**
 * Epoch ms of an event's `timeStampISO`; `undefined` where it cannot be read. Events are not parsed for it while the
 * member lies before any nested object, as it does in the provider's log.
 */
export function timeOf(line: Buffer): number | undefined {
  const start = line.indexOf(TIME_MEMBER) + TIME_MEMBER.length;
  const end = line.indexOf(QUOTE, start);
  const nested = line.indexOf(OPEN_BRACE, 1);
  const plain =
    start > TIME_MEMBER.length &&
    end - start < LONGEST_TIME &&
    (nested < 0 || start < nested) &&
    line[0] === OPEN_BRACE &&
    line[start - TIME_MEMBER.length - 1] !== BACKSLASH;
  const text = plain ? line.toString('latin1', start, end) : parsedTime(line);
  const utc = text === undefined ? undefined : utcTimestamp(text);
  return utc === undefined ? undefined : Date.parse(utc);
}

function parsedTime(line: Buffer): string | undefined {
  try {
    const { timeStampISO } = JSON.parse(line.toString('utf8'));
    return typeof timeStampISO === 'string' ? timeStampISO : undefined;
  } catch {
    return undefined;
  }
}

function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
