/** One figure of a benchmark beside the floor it is held to. All members are printed as they are. */
export interface Row {
  /** What is measured, and where: `catch-up 0 ms embedded wall`. */
  benchmark: string;
  measured: string;
  /** What the same work costs at least; `-` where the target is a plain bound. */
  floor: string;
  /** measured ÷ floor, with its spread where there is one. */
  ratio: string;
  /** `-` where the figure is only stated. */
  target: string;
  met: boolean;
}

type Cells = Record<keyof typeof WIDEST | 'met', string>;

/** With the gaps and `met` 100 columns in all; longer texts are wrapped between words. */
const WIDEST = { benchmark: 28, measured: 16, floor: 11, ratio: 16, target: 16 };
const COLUMNS = ['benchmark', 'measured', 'floor', 'ratio', 'target', 'met'] as const;
const GAP = '  ';

/** Print the rows in aligned columns that fit 100 characters. */
export function printTable(rows: readonly Row[]): void {
  const header = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Cells;
  const cells = [header, ...rows.map((row) => ({ ...row, met: verdict(row) }))];
  const wrapped = cells.map((row) => COLUMNS.map((column) => wrap(row[column], widest(column))));
  const widths = COLUMNS.map((_, at) =>
    Math.max(...wrapped.flatMap((row) => (row[at] ?? []).map((line) => line.length))),
  );
  for (const [index, row] of wrapped.entries()) {
    const height = Math.max(...row.map((lines) => lines.length));
    for (let line = 0; line < height; line++) {
      const parts = row.map((lines, at) => (lines[line] ?? '').padEnd(widths[at] ?? 0));
      console.log(parts.join(GAP).trimEnd());
    }
    if (index === 0) console.log(widths.map((width) => '-'.repeat(width)).join(GAP));
  }
}

function verdict({ target, met }: Row): string {
  if (target === '-') return '-';
  return met ? 'yes' : 'NO';
}

function widest(column: (typeof COLUMNS)[number]): number {
  return column === 'met' ? 3 : WIDEST[column];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
