/** One figure of a benchmark beside the floor it is held to. All members are printed as they are. */
export interface Row {
  /** What is measured, and where: `catch-up, 0 ms, wall`. */
  benchmark: string;
  measured: string;
  /** What the same work costs at least; `-` where the target is a plain bound. */
  floor: string;
  /** measured ÷ floor, with its spread where there is one. */
  ratio: string;
  target: string;
  met: boolean;
}

const COLUMNS = ['benchmark', 'measured', 'floor', 'ratio', 'target'] as const;
const GAP = '  ';

/** Print the rows, one a line, in aligned columns (100 characters wide where their texts are short enough). */
export function printTable(rows: readonly Row[]): void {
  const header = Object.fromEntries(COLUMNS.map((column) => [column, column])) as Omit<Row, 'met'>;
  const widths = COLUMNS.map((column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
  const line = (row: Omit<Row, 'met'>, met: string): string =>
    [...COLUMNS.map((column, at) => row[column].padEnd(widths[at] ?? 0)), met].join(GAP);
  console.log(line(header, 'met'));
  console.log(widths.map((width) => '-'.repeat(width)).join(GAP) + GAP + '-'.repeat(3));
  for (const row of rows) console.log(line(row, row.met ? 'yes' : 'NO'));
}
