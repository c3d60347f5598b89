import { describe, expect, it } from 'vitest';
import { splunkEncoder } from '../../../functions/core/delivery/splunk-event.ts';
import type { EventLine } from '../../../functions/core/ports-delivery.ts';

const PLACE = {
  org: 'institution',
  stream: 'logs',
  eventId: 'institution:logs:k3v9q:1:1',
  announcedAt: 0,
} as const;

/** The line in the midst of others. */
function lineOf(line: string | Buffer): EventLine {
  const before = '{"timeStampISO":"1999-01-01T00:00:00.000Z"}\n';
  const text = Buffer.concat([Buffer.from(before), Buffer.from(line), Buffer.from(`\n${before}`)]);
  return { text, start: before.length, end: before.length + Buffer.byteLength(line) };
}

/** The event as HEC would see it, after those before it in the same log. */
function encoded(...lines: readonly (string | Buffer)[]) {
  const encode = splunkEncoder({});
  const into = Buffer.alloc(10_000);
  let text = '';
  for (const line of lines) {
    const end = encode(lineOf(line), PLACE, into, 0);
    text = into.toString('utf8', 0, end);
  }
  return text;
}

const timeOf = (...lines: readonly string[]) => /"time":([\d.]+),/.exec(encoded(...lines))?.[1];
const at = (time: unknown) => JSON.stringify({ a: 1, timeStampISO: time, b: { c: 1 } });

describe('the time of an event in Splunk', () => {
  it.each([
    ['2026-01-02T03:04:05.678+00:00', '1767323045.678'],
    ['2026-01-02T03:04:05.678Z', '1767323045.678'],
    ['2026-01-02T05:04:05.678+02:00', '1767323045.678'],
    ['2026-01-02T03:04:05.678999Z', '1767323045.678'],
    ['2026-01-02T03:04:05Z', '1767323045.000'],
    ['2026-01-02T03:04Z', '1767323040.000'],
    ['2026-02-30T03:04:05.678Z', undefined],
    ['2026-01-02T03:04:65.678Z', undefined],
    ['2026-01-02T03:04:05.6x8Z', undefined],
    ['yesterday', undefined],
    [1767323045, undefined],
    [null, undefined],
  ])('%s is %s, whatever came before', (time, expected) => {
    expect(timeOf(at(time))).toBe(expected);
    for (const before of ['2026-01-02T03:04:59.999Z', '2026-01-02T03:04:59.999+00:00', 'never'])
      expect(timeOf(at(before), at(time))).toBe(expected);
  });

  it('is not another member’s, nor another object’s', () => {
    const decoy = '"timeStampISO":"1999-01-01T00:00:00.000Z"';
    expect(timeOf(`{"a":{${decoy}}}`)).toBeUndefined();
    expect(timeOf(`[{${decoy}}]`)).toBeUndefined();
    expect(timeOf(`{"x\\${decoy}}`)).toBeUndefined();
    expect(timeOf(`{"a":[{${decoy}}],"timeStampISO":"2026-01-02T03:04:05Z"}`)).toBe('1767323045.000');
    expect(timeOf(`{"timeStampISO" : "2026-01-02T03:04:05Z"}`)).toBe('1767323045.000');
    expect(timeOf('{"timeStampISO":"2026-01-02T03:0')).toBeUndefined();
    expect(timeOf('')).toBeUndefined();
  });

  it('falls into the right minute in a row of events', () => {
    const times = ['03:04:05.000', '03:04:59.999', '03:05:00.000', '03:04:00.001', '04:04:00.001'];
    times.forEach((_, index) => {
      const row = times.slice(0, index + 1).map((time) => at(`2026-01-02T${time}Z`));
      const expected = (Date.parse(`2026-01-02T${times[index]}Z`) / 1000).toFixed(3);
      expect(timeOf(...row)).toBe(expected);
    });
  });
});

describe('an event in Splunk', () => {
  it('needs as much room as it says', () => {
    const encode = splunkEncoder({ host: 'ü' });
    const line = lineOf('{"a":"ü"}');
    const needed = -encode(line, PLACE, Buffer.alloc(0), 0);
    expect(encode(line, PLACE, Buffer.alloc(needed + 2), 3)).toBe(-needed);
    const into = Buffer.alloc(needed + 3);
    expect(encode(line, PLACE, into, 3)).toBe(needed + 3);
    expect(JSON.parse(into.toString('utf8', 3))).toMatchObject({ host: 'ü', event: { a: 'ü' } });
  });
});

describe('the source type of an event in Splunk', () => {
  const sourcetypeOf = (stream: 'logs' | 'identities', sourcetype?: string) => {
    const into = Buffer.alloc(1000);
    const encode = splunkEncoder(sourcetype === undefined ? {} : { sourcetype });
    const end = encode(lineOf(at('2026-01-02T03:04:05.678Z')), { ...PLACE, stream }, into, 0);
    return JSON.parse(into.toString('utf8', 0, end)).sourcetype;
  };

  it('is the one of its stream', () => {
    expect(sourcetypeOf('logs')).toBe('orglog:event');
    expect(sourcetypeOf('identities')).toBe('orglog:identity');
  });

  it('is the one of the settings for the sign-in log alone', () => {
    expect(sourcetypeOf('logs', 'acme:signin')).toBe('acme:signin');
    expect(sourcetypeOf('identities', 'acme:signin')).toBe('orglog:identity');
  });
});
