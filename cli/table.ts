import { cutTo, padTo, printable, widthOf, wrapTo } from './text.ts';

const GAP = '  ';
/** A column is not made narrower than this, or than its head. */
const NARROWEST = 8;

/** One column of a table. */
export interface Column<Row> {
  readonly head: string;
  /** Several values stand below each other. */
  readonly of: (row: Row) => string | readonly string[];
  /**
   * What happens where not everything fits. `wrap` (default): goes on in the next line. `cut`: ends with …. `keep`:
   * stays whole as long as others can give way (an identifier that somebody will copy).
   */
  readonly narrow?: 'wrap' | 'cut' | 'keep';
  readonly align?: 'right';
  /** Left out where there is no room for everything; the last one first. */
  readonly optional?: boolean;
}

/** Where a table is shown. */
export interface TableSpace {
  /** Columns of the terminal; undefined: as wide as it takes. */
  readonly columns: number | undefined;
  /** Makes the heads stand back. */
  readonly dim: (text: string) => string;
}

interface Laid<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/**
 * Rows in aligned columns without borders. On a terminal every line fits; anywhere else nothing is cut or wrapped. Rows
 * may come in several calls: the first one's decide what columns there are and how wide they are on a terminal.
 */
export class Table<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #space: TableSpace;
  #layout: readonly Laid<Row>[] | undefined;

  constructor(columns: readonly Column<Row>[], space: TableSpace) {
    this.#columns = columns;
    this.#space = space;
  }

  /** The lines of these rows; in the first call with the heads, unless none has any. */
  lines(rows: readonly Row[]): string[] {
    const first = this.#layout === undefined;
    const { columns: available } = this.#space;
    const layout = this.#layout ?? fitted(naturalWidths(this.#columns, rows), available);
    this.#layout = available === undefined ? widened(layout, rows) : layout;
    const heads = this.#layout.map(({ column, width }) => ({ column, width, lines: [column.head] }));
    const hasHeads = this.#columns.some(({ head }) => head !== '');
    return [
      ...(first && hasHeads ? joined(heads).map(this.#space.dim) : []),
      ...rows.flatMap((row) => this.#rowLines(row)),
    ];
  }

  #rowLines(row: Row): string[] {
    const cut = this.#space.columns !== undefined;
    const cells = (this.#layout ?? []).map(({ column, width }) => {
      const values = valuesOf(column, row);
      if (!cut) return { column, width, lines: values };
      const narrow = (value: string) =>
        column.narrow === 'cut' ? [cutTo(value, width)] : wrapTo(value, width);
      return { column, width, lines: values.flatMap(narrow) };
    });
    return joined(cells);
  }
}

/** Pairs of a name and its values, as lines. */
export function factLines(
  facts: readonly (readonly [name: string, value: string | readonly string[]])[],
  space: TableSpace,
): string[] {
  const table = new Table<(typeof facts)[number]>(
    [
      { head: '', of: ([name]) => name, narrow: 'keep' },
      { head: '', of: ([, value]) => value },
    ],
    space,
  );
  return facts.length === 0 ? [] : table.lines(facts);
}

function valuesOf<Row>({ of }: Column<Row>, row: Row): string[] {
  const value = of(row);
  const values = typeof value === 'string' ? [value] : value;
  return values.map(printable);
}

function naturalWidths<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Laid<Row>[] {
  return columns.map((column) => ({ column, width: naturalWidth(column, rows, widthOf(column.head)) }));
}

function naturalWidth<Row>(column: Column<Row>, rows: readonly Row[], atLeast: number): number {
  let width = atLeast;
  for (const row of rows) for (const value of valuesOf(column, row)) width = Math.max(width, widthOf(value));
  return width;
}

function widened<Row>(layout: readonly Laid<Row>[], rows: readonly Row[]): Laid<Row>[] {
  return layout.map(({ column, width }) => ({ column, width: naturalWidth(column, rows, width) }));
}

/** Takes from the widest that may give way, until all fit. */
function fitted<Row>(natural: readonly Laid<Row>[], available: number | undefined): Laid<Row>[] {
  const laid = natural.map((each) => ({ ...each }));
  if (available === undefined) return laid;
  for (let at = laid.length - 1; at >= 0 && total(laid) > available; at--) {
    if (laid[at]?.column.optional) laid.splice(at, 1);
  }
  const widest = (from: typeof laid) =>
    from
      .filter(({ column, width }) => width > Math.max(NARROWEST, widthOf(column.head)))
      .reduce<(typeof laid)[number] | undefined>(
        (found, each) => (found !== undefined && found.width >= each.width ? found : each),
        undefined,
      );
  while (total(laid) > available) {
    const giver = widest(laid.filter(({ column }) => column.narrow !== 'keep')) ?? widest(laid);
    if (giver === undefined) break;
    giver.width--;
  }
  return laid;
}

function total(laid: readonly { readonly width: number }[]): number {
  return laid.reduce((sum, { width }) => sum + width, GAP.length * (laid.length - 1));
}

interface CellLines {
  readonly column: { readonly align?: 'right' };
  readonly width: number;
  readonly lines: readonly string[];
}

function joined(cells: readonly CellLines[]): string[] {
  const height = Math.max(1, ...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    cells
      .map(({ column, width, lines }) => {
        const text = lines[at] ?? '';
        return column.align === 'right'
          ? ' '.repeat(Math.max(0, width - widthOf(text))) + text
          : padTo(text, width);
      })
      .join(GAP)
      .trimEnd(),
  );
}
