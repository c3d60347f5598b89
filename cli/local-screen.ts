import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters, styleText } from 'node:util';
import Table from 'cli-table3';
import type { Progress } from '../local/progress.ts';
import type { PushStanding } from '../local/push.ts';
import { count, duration, size, some, timeOfDay } from './format.ts';
import type { Heading, LocalDisplay } from './local-display.ts';
import { wrapTo } from './text.ts';

const FRAME_MS = 100;
const COLUMN_WIDTHS = [9, 12, 9, 10, 10, 12, 8];
const SINK_WIDTHS = [12, 9, 9, 10];
/** With the borders between and beside them. */
const TABLE_WIDTH = COLUMN_WIDTHS.reduce((sum, width) => sum + width + 1, 1);
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_TO_END = '\x1b[J';
/** Without it a line longer than the terminal would wrap, and the redraw miss its start. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';

type Style = Parameters<typeof styleText>[0];

/** A small table, redrawn in place. */
export function liveScreen(heading: Heading, out: WriteStream, now: () => number): LocalDisplay {
  let progress: Progress | undefined;
  let drawnLines = 0;
  let closed = false;
  // Looks at NO_COLOR and at what the terminal can do.
  const paint = (style: Style, text: string) => styleText(style, text, { stream: out });

  const draw = () => {
    if (progress === undefined || closed) return;
    const columns = out.columns || 80;
    const lines = screenLines(heading, progress, { now: now(), columns, paint }).slice(
      0,
      (out.rows || 24) - 1,
    );
    out.write(
      `${upBy(drawnLines)}${HIDE_CURSOR}${NO_WRAP}${lines.join('\n')}\n${CLEAR_TO_END}${WRAP}`.replaceAll(
        '\n',
        '\x1b[K\n',
      ),
    );
    drawnLines = lines.length;
  };
  const timer = setInterval(draw, FRAME_MS);
  timer.unref();
  const restore = () => out.write(SHOW_CURSOR);
  process.once('exit', restore);
  return {
    show(next) {
      const first = progress === undefined;
      progress = next;
      // Work that keeps the thread may come next.
      if (first) draw();
    },
    close() {
      draw();
      closed = true;
      clearInterval(timer);
      process.off('exit', restore);
      restore();
    },
  };
}

function upBy(lines: number): string {
  return lines === 0 ? '' : `\x1b[${lines}A\r`;
}

interface Canvas {
  readonly now: number;
  readonly columns: number;
  readonly paint: (style: Style, text: string) => string;
}

/** Everything the screen shows, line by line. */
export function screenLines(heading: Heading, progress: Progress, canvas: Canvas): string[] {
  const { columns, paint } = canvas;
  const problems = [
    progress.trouble ?? progress.hitch,
    ...progress.pushes.map(({ trouble }) => trouble),
  ].flatMap((problem) => (problem === undefined ? [] : wrapTo(problem, columns - 2)));
  const from = stripVTControlCharacters(`${heading.org} from ${heading.from}`);
  return [
    `${paint('bold', 'orglog local')}  ${from}`,
    ...figures(progress, canvas),
    ...sinkRows(progress.pushes, canvas),
    ...(progress.identities === undefined ? [] : [`${paint('dim', 'identities')}  ${progress.identities}`]),
    ...activity(heading, progress, canvas),
    ...problems.map((line) => paint('yellow', line)),
  ];
}

function figures(progress: Progress, { now, columns, paint }: Canvas): string[] {
  const { newestEventAt } = progress;
  const cells: [name: string, value: string][] = [
    ['pages', count(progress.pages)],
    ['events', count(progress.events)],
    ['batches', count(progress.batches)],
    ['stored', size(progress.storedBytes)],
    ['queued', count(progress.queued)],
    ['in SIEM', count(progress.siemLines)],
    ['lag', newestEventAt === undefined ? '–' : duration(now - newestEventAt)],
  ];
  if (columns < TABLE_WIDTH) {
    return cells.map(([name, value]) => `${paint('dim', name.padEnd(8))} ${value}`);
  }
  const table = new Table({
    colWidths: COLUMN_WIDTHS,
    colAligns: cells.map(() => 'right'),
    style: { head: [], border: [] },
  });
  table.push(
    cells.map(([name]) => paint('dim', name)),
    cells.map(([, value]) => paint('bold', value)),
  );
  return table.toString().split('\n');
}

/** One row a sink, under one heading. */
function sinkRows(pushes: readonly PushStanding[], { columns, paint }: Canvas): string[] {
  if (pushes.length === 0) return [];
  const rows = pushes.map(({ name, standIn, isNew, delivered, rejected, waiting, dead }) => ({
    name: standIn ? `${name} (stand-in)` : name,
    figures: [delivered, rejected, waiting, dead].map(count),
    note: isNew ? 'new: from now on' : '',
  }));
  const names = ['delivered', 'rejected', 'queued', 'set aside'];
  if (columns < TABLE_WIDTH) {
    return rows.flatMap(({ name, figures, note }) => [
      `${paint('dim', name)} ${note}`.trimEnd(),
      ...names.map((each, at) => `  ${paint('dim', each.padEnd(10))} ${figures[at]}`),
    ]);
  }
  const line = (first: string, cells: readonly string[], note: string) =>
    `  ${first.padEnd(19)}${cells.map((cell, at) => cell.padStart(SINK_WIDTHS[at] ?? 0)).join('')}  ${note}`.trimEnd();
  return [
    paint('dim', line('pushed to', names, '')),
    ...rows.map(({ name, figures, note }) => line(name, figures, note)),
  ];
}

function activity({ folder, once }: Heading, progress: Progress, { now, paint }: Canvas): string[] {
  const { phase, nextReadAt, gaps, dead, siemBytes, trouble } = progress;
  const spinner = paint('cyan', SPINNER[Math.floor(now / FRAME_MS) % SPINNER.length] ?? '');
  const doing = {
    preparing: `${spinner} preparing`,
    reading: `${spinner} reading the log`,
    waiting: `${trouble ? `${paint('red', '✘')} trouble` : `${paint('green', '✔')} caught up`}; next read at ${timeOfDay(nextReadAt ?? now)}`,
    stopping: `${spinner} stopping: storing what is in hand`,
    ended: `${paint('green', '✔')} done: what was read is stored`,
    failed: `${paint('red', '✘')} ended by trouble; what was committed stays`,
  }[phase];
  return [
    [
      doing,
      ...(gaps === 0 ? [] : [paint('yellow', `${some(gaps, 'gap')} recorded`)]),
      ...(dead === 0 ? [] : [paint('red', `${some(dead, 'message')} set aside`)]),
    ].join('  '),
    paint(
      'dim',
      `siem.ndjson ${size(siemBytes)} in ${folder}${once ? '' : '; Ctrl-C stops, the next start goes on'}`,
    ),
  ];
}
