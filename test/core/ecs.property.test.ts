import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddress } from '../../functions/core/ecs/address.ts';
import { utcTimestamp } from '../../functions/core/ecs/timestamp.ts';
import { ecsDocument } from '../../functions/core/ecs.ts';
import { BASE_FIELDS, ECS_FIELDS, ORGLOG_FIELDS } from '../../siem/generate/elastic/fields.ts';
import { samples } from '../../siem/generate/elastic/samples.ts';
import { event } from './arbitrary-json.ts';

const CONTEXT = { org: 'institution', eventId: 'institution:logs:k3v9:1:1', collectedAt: 0 };

const group = fc.stringMatching(/^[0-9a-fA-F]{0,5}$/);
const almostAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':')),
  fc.tuple(fc.array(group, { maxLength: 7 }), fc.ipV4()).map(([groups, v4]) => [...groups, v4].join(':')),
  fc.tuple(fc.ipV6(), fc.nat(40)).map(([text, at]) => text.slice(0, at) + text.slice(at + 1)),
  fc.string(),
);

describe('ECS documents', () => {
  it('come of any JSON, keep it whole, and are JSON themselves', () => {
    fc.assert(
      fc.property(event, ({ text }) => {
        const document = ecsDocument(text, CONTEXT);
        expect(document.event.original).toBe(text);
        expect(document.event.kind).toBe('event');
        expect(() => JSON.stringify(document)).not.toThrow();
      }),
      { seed: 4, numRuns: 2000 },
    );
  });

  it('come of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(ecsDocument(text, CONTEXT).event.original).toBe(text);
      }),
      { seed: 4 },
    );
  });

  it('hold no field that the index does not know', () => {
    const known = new Set([...BASE_FIELDS, ...ECS_FIELDS, ...ORGLOG_FIELDS].map(({ name }) => name));
    for (const { line } of samples())
      for (const path of pathsOf(ecsDocument(line, CONTEXT))) expect(known).toContain(path);
  });
});

describe('an address', () => {
  it('is what the runtime takes for one, but for zones', () => {
    fc.assert(
      fc.property(almostAddress, (text) => {
        expect(isAddress(text), text).toBe(isIP(text) !== 0 && !text.includes('%'));
      }),
      { seed: 4, numRuns: 20_000 },
    );
  });

  it.each([
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '::ffff:192.0.2.1',
    '1:2:3:4:5:6:192.0.2.1',
  ])('may be written %s', (text) => expect(isAddress(text)).toBe(true));

  it.each([
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '192.0.2.1::',
    '01.2.3.4',
    'fe80::1%eth0',
  ])('is not %s', (text) => expect(isAddress(text)).toBe(false));
});

describe('a time', () => {
  it('is the same moment, to the millisecond', () => {
    const range = {
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(
        fc.date(range),
        fc.integer({ min: -1079, max: 1079 }),
        fc.boolean(),
        (at, offset, colon) => {
          const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, -1);
          const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, '0');
          const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
          const zone = `${offset < 0 ? '-' : '+'}${hours}${colon ? ':' : ''}${minutes}`;
          expect(utcTimestamp(`${local}999${zone}`)).toBe(at.toISOString());
        },
      ),
      { seed: 4, numRuns: 2000 },
    );
  });

  it.each([
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05,6', '2026-01-02T03:04:05.600Z'],
    ['2024-02-29T23:59:59.9999Z', '2024-02-29T23:59:59.999Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, utc) => expect(utcTimestamp(text)).toBe(utc));

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+19:00',
    '9999-12-31T23:00:00-05:00',
    '0000-01-01T00:00:00+01:00',
    '2026-01-01',
    'Fri, 02 Jan 2026 00:00:00 GMT',
  ])('%s is none', (text) => expect(utcTimestamp(text)).toBeUndefined());
});

/** Dotted paths of an object's values; `log_data` is one value. */
function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || path === 'orglog.log_data')
    return [path];
  return Object.entries(value).flatMap(([key, item]) => pathsOf(item, path === '' ? key : `${path}.${key}`));
}
