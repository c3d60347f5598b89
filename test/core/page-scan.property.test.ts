import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedPage, scanPage } from '../../functions/core/page-scan.ts';
import { page } from './arbitrary-json.ts';

const RUNS = { numRuns: 3000, seed: 20260102 };

/** A second opinion on white space, by regular expression. */
function withoutSpace(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/gs, (_, string?: string) => string ?? '');
}

describe('scanPage, for any page', () => {
  it('gives each event on one line, byte for byte but for white space outside strings', () => {
    fc.assert(
      fc.property(page, ({ text, events, token }) => {
        const scanned = scanPage(Buffer.from(text));
        const lines = scanned.lines.toString().split('\n');
        expect(lines.pop()).toBe('');
        expect(lines).toStrictEqual(events.map((event) => event.compact));
        expect(lines).toStrictEqual(events.map((event) => withoutSpace(event.text)));
        expect(scanned.count).toBe(events.length);
        expect(scanned.nextToken).toBe(token);
        expect(scanned.statedCount).toBe(events.length);
        expect(scanned.utf8).toBe(true);
        expect(scanned.first?.toString()).toBe(events[0]?.compact);
        expect(scanned.last?.toString()).toBe(events.at(-1)?.compact);
        expect(scanned.nonObjects).toBe(events.filter((event) => !event.compact.startsWith('{')).length);
        for (const [i, line] of lines.entries())
          expect(JSON.parse(line)).toStrictEqual(JSON.parse(events[i]?.text ?? ''));
      }),
      RUNS,
    );
  });

  it('refuses every page that ends early', () => {
    fc.assert(
      fc.property(page, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), ({ text }, share) => {
        const whole = Buffer.from(text.trimEnd());
        expect(() => scanPage(whole.subarray(0, Math.floor(share * whole.length)))).toThrow(MalformedPage);
      }),
      RUNS,
    );
  });

  it('refuses damaged pages or keeps to one event a line, whatever the damage', () => {
    fc.assert(
      fc.property(page, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ text }, where, byte) => {
        const damaged = Buffer.from(text);
        damaged[where % damaged.length] = byte;
        try {
          const { lines, count } = scanPage(damaged);
          expect(lines.toString('latin1').split('\n')).toHaveLength(count + 1);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPage);
        }
      }),
      RUNS,
    );
  });
});
