import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utcTimestamp } from '../../functions/core/ecs/timestamp.ts';
import { generateTraffic } from '../../local/provider/traffic.ts';
import { readConf, SOURCE_TYPE } from './splunk/add-on.ts';
import { settingOf } from './splunk/conf.ts';
import { evaluate } from './splunk/evaluate.ts';
import { parseExpression, type Value } from './splunk/expression.ts';
import { strptime } from './splunk/strptime.ts';

const props = readConf('props.conf');
const prefix = new RegExp(settingOf(props, SOURCE_TYPE, 'TIME_PREFIX'));
const format = settingOf(props, SOURCE_TYPE, 'TIME_FORMAT');
const lookahead = Number(settingOf(props, SOURCE_TYPE, 'MAX_TIMESTAMP_LOOKAHEAD'));
const [, source = ''] =
  /^_time = ([\s\S]+)$/.exec(settingOf(readConf('transforms.conf'), 'orglog_time', 'INGEST_EVAL')) ?? [];
const ingest = parseExpression(source);

const BEFORE = 1;
function indexedAt(raw: string): Value {
  return evaluate(ingest, { _raw: raw, _time: BEFORE });
}
function indexedAtStamp(timeStampISO: unknown): Value {
  return indexedAt(JSON.stringify({ logType: 'cas', timeStampISO, logData: {} }));
}
/** Epoch seconds with all decimals: Date knows three. */
function secondsOf(stamp: string): number {
  const fraction = /[.](\d+)/.exec(stamp)?.[1] ?? '0';
  return Math.floor(Date.parse(stamp) / 1000) + Number(`0.${fraction}`);
}

const SHAPES = [
  '2026-01-02T03:04:05.678901+00:00',
  '2026-01-02T03:04:05.678+00:00',
  '2026-01-02T03:04:05.000001+00:00',
  '2026-01-02T03:04:05.678901234+00:00',
  '2026-01-02T03:04:05.6+00:00',
  '2026-01-02T03:04:05+00:00',
  '2026-01-02T03:04:05.678901Z',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.678901-05:00',
  '2026-01-02T03:04:05.678901+05:45',
  '2026-12-31T23:59:59.999999-11:00',
  '2024-02-29T00:00:00.000000+14:00',
];

describe('TIME_PREFIX and TIME_FORMAT', () => {
  it('read the documented shape: a fraction of six digits and an offset', () => {
    for (const stamp of SHAPES.filter((shape) => /[.]\d{6}[+-]/.test(shape)))
      expect(strptime(stamp, format), stamp).toBeCloseTo(secondsOf(stamp), 6);
  });

  it('find the time wherever it stands, with white space or without', () => {
    const stamp = SHAPES[0];
    for (const line of [
      `{"timeStampISO":"${stamp}","logType":"cas"}`,
      `{"logType":"cas","logData":{"a":[1,2]},"timeStampISO":"${stamp}"}`,
      `{"logType" : "cas", "timeStampISO" : "${stamp}"}`,
    ]) {
      const end = (prefix.exec(line)?.index ?? Number.NaN) + (prefix.exec(line)?.[0].length ?? Number.NaN);
      expect(line.slice(end, end + (stamp?.length ?? 0))).toBe(stamp);
    }
  });

  it('look no further than a time is long, and far enough', () => {
    for (const stamp of SHAPES) expect(stamp.length).toBeLessThanOrEqual(lookahead);
  });
});

describe('the time an event is indexed under', () => {
  it.each(SHAPES)('%s', (stamp) => {
    expect(indexedAtStamp(stamp)).toBeCloseTo(secondsOf(stamp), 6);
  });

  it('an offset without a colon', () => {
    expect(indexedAtStamp('2026-01-02T03:04:05.25+0530')).toBeCloseTo(
      secondsOf('2026-01-02T03:04:05.25+05:30'),
      6,
    );
  });

  it('to the millisecond, that of push delivery', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-02'), max: new Date('2037-12-31'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (date, digits, offset) => {
          const minutes = Math.abs(offset);
          const two = (number: number) => String(number).padStart(2, '0');
          const zone =
            offset === 0
              ? 'Z'
              : `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
          const iso = date.toISOString();
          const fraction = digits === 0 ? '' : `.${iso.slice(20, 23).padEnd(9, '7').slice(0, digits)}`;
          const stamp = `${iso.slice(0, 19)}${fraction}${zone}`;
          const pushed = Date.parse(utcTimestamp(stamp) ?? '') / 1000;
          const indexed = Number(indexedAtStamp(stamp));
          expect(indexed - pushed).toBeGreaterThan(-1e-6);
          expect(indexed - pushed).toBeLessThan(0.001);
        },
      ),
    );
  });

  it('is the event’s own, not one that its data quotes', () => {
    const inner = {
      timeStampISO: '2001-01-01T00:00:00+00:00',
      note: '"timeStampISO":"2002-01-01T00:00:00+00:00"',
    };
    const line = JSON.stringify({ logData: inner, timeStampISO: SHAPES[0] });
    expect(indexedAt(line)).toBeCloseTo(secondsOf(SHAPES[0] ?? ''), 6);
  });

  it.each([
    ['a time without an offset', '2026-01-02T03:04:05.678901'],
    ['words', 'yesterday'],
    ['a number', 1767323045],
    ['null', null],
    ['a day that is none', '2026-02-30T03:04:05+00:00'],
  ])('stays what it was for %s', (_what, stamp) => {
    expect(indexedAtStamp(stamp)).toBe(BEFORE);
  });

  it.each(['{}', '[]', 'null', 'not JSON'])('stays what it was for %s', (line) => {
    expect(indexedAt(line)).toBe(BEFORE);
  });

  it('is right for every event of a day’s traffic, each a line of its own', () => {
    const events = [
      ...generateTraffic({
        seed: 4,
        orgUrl: 'https://login.institution.edu/',
        orgDomain: 'institution.edu',
        fromMs: Date.parse('2026-01-02T00:00:00Z'),
        toMs: Date.parse('2026-01-03T00:00:00Z'),
        count: 2000,
      }),
    ];
    const object = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const breaker = new RegExp(settingOf(props, SOURCE_TYPE, 'LINE_BREAKER').replace(/[()]/g, ''), 'g');
    const lines = object.split(breaker).filter((line) => line !== '');
    expect(lines).toStrictEqual(events.map((event) => JSON.stringify(event)));
    for (const [index, line] of lines.entries()) {
      expect(indexedAt(line)).toBeCloseTo(secondsOf(events[index]?.timeStampISO ?? ''), 6);
      expect(prefix.exec(line)).not.toBeNull();
    }
  });
});
