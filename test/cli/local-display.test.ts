import { describe, expect, test } from 'vitest';
import { plainLines } from '../../cli/local-lines.ts';
import { screenLines } from '../../cli/local-screen.ts';
import { type Progress, ProgressBoard } from '../../local/progress.ts';
import type { PushStanding } from '../../local/push.ts';

const HEADING = {
  org: 'institution.edu',
  from: 'https://logs.institution.edu',
  folder: '.local',
  once: false,
  sinks: [],
};
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

const START: Progress = {
  phase: 'reading',
  ...{ pages: 0, events: 0, bytes: 0, batches: 0, storedBytes: 0 },
  ...{ queued: 0, dead: 0, siemLines: 0, siemBytes: 0, gaps: 0 },
  pushes: [],
};
const BUSY: Progress = {
  ...START,
  ...{ pages: 123_456, events: 99_999_999, bytes: 5e10, batches: 12_345, storedBytes: 999e9 },
  ...{ queued: 12_345, dead: 3, siemLines: 99_999_999, siemBytes: 5e10, gaps: 2, newestEventAt: NOW - 1500 },
  trouble:
    'the provider at https://logs.institution.edu could not be read (3 tries): the connection was refused.',
};

const SPLUNK: PushStanding = {
  ...{ name: 'splunk', standIn: false, isNew: true },
  ...{ delivered: 99_999_999, rejected: 12_345, waiting: 12_345, dead: 3 },
  trouble: 'splunk: HEC answered 503 Service Unavailable, code 9',
};
const ELASTIC: PushStanding = {
  ...{ name: 'elastic', standIn: true, isNew: false, delivered: 7, rejected: 0, waiting: 0, dead: 0 },
};

describe('the screen', () => {
  const canvas = { now: NOW, columns: 80, paint: (_: unknown, text: string) => text };

  test.each([
    ['at the start', START],
    ['with large numbers and trouble', BUSY],
    ['while waiting', { ...BUSY, phase: 'waiting' as const, nextReadAt: NOW + 300_000 }],
  ])('fits 80 columns and a few rows %s', (_, progress) => {
    const lines = screenLines(HEADING, progress, canvas);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(12);
  });

  test('shows every figure', () => {
    const screen = screenLines(HEADING, BUSY, canvas).join('\n');
    for (const part of [
      '123,456',
      '99,999,999',
      '12,345',
      '999 GB',
      '1.5 s',
      '2 gaps',
      '3 messages set aside',
    ])
      expect(screen).toContain(part);
    expect(screen).not.toContain('…');
  });

  test('has a row for each sink, and room for it', () => {
    const lines = screenLines(HEADING, { ...BUSY, pushes: [SPLUNK, ELASTIC] }, canvas);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(16);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}splunk +99,999,999 +12,345 +12,345 +3 {2}new: from now on$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}elastic \(stand-in\) +7 +0 +0 +0$/));
    expect(lines).toContain(SPLUNK.trouble);
  });

  test('gives up the table where it would not fit', () => {
    const lines = screenLines(HEADING, { ...START, pushes: [SPLUNK] }, { ...canvas, columns: 40 });
    expect(lines).toContain('events   0');
    expect(lines).toContain('  delivered  99,999,999');
  });
});

describe('plain lines', () => {
  function recorder(once: boolean) {
    const out: string[] = [];
    const problems: string[] = [];
    const clock = { now: NOW };
    const output = {
      out: (line: string) => out.push(line),
      problem: (line: string) => problems.push(line),
      now: () => clock.now,
    };
    return { display: plainLines({ ...HEADING, once }, output), out, problems, clock };
  }

  test('one for what arrived and is done with, none for the steps on the way', () => {
    const { display, out } = recorder(false);
    const board = new ProgressBoard((progress) => display.show(progress));
    board.step({ kind: 'page', events: 7, bytes: 700 });
    board.step({ kind: 'batch', key: 'k', sequence: 1, events: 7, storedBytes: 70 });
    board.update({ queued: 1 });
    board.update({ queued: 0, siemLines: 7 });
    board.update({ phase: 'waiting', nextReadAt: NOW });
    expect(out.slice(1)).toEqual([
      expect.stringMatching(/ 7 events in 1 page and 1 batch \(70 B stored\), queue 0, siem 7$/),
    ]);
  });

  test('a sink that is done with its events is news', () => {
    const { display, out, clock } = recorder(false);
    display.show({ ...START, batches: 1, siemLines: 7, pushes: [{ ...ELASTIC, delivered: 0, waiting: 1 }] });
    display.show({ ...START, batches: 1, siemLines: 7, pushes: [ELASTIC] });
    clock.now += 10_000;
    display.show({ ...START, batches: 2, siemLines: 8, pushes: [{ ...ELASTIC, waiting: 2, rejected: 1 }] });
    expect(out.slice(1)).toEqual([
      expect.stringMatching(/, siem 7, elastic 7$/),
      expect.stringMatching(/, siem 8, elastic 7 \(1 rejected, 2 batches queued\)$/),
    ]);
  });

  test('one each ten seconds while more comes in', () => {
    const { display, out, clock } = recorder(true);
    for (let batches = 1; batches <= 50; batches++) {
      clock.now += 1000;
      display.show({ ...START, batches, queued: 1 });
    }
    expect(out).toHaveLength(5);
  });

  test('trouble is told once', () => {
    const { display, problems } = recorder(false);
    for (const trouble of ['a', 'a', 'b']) display.show({ ...START, trouble });
    for (const pushes of [[SPLUNK, ELASTIC], [SPLUNK]]) display.show({ ...START, trouble: 'b', pushes });
    expect(problems).toEqual([
      expect.stringMatching(/ a$/),
      expect.stringMatching(/ b$/),
      expect.stringMatching(/ splunk: HEC answered 503/),
    ]);
  });
});
