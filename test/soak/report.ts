import Table from 'cli-table3';

/** How one part of the soak ended: sound where there is no fault. */
export interface Verdict {
  readonly what: string;
  readonly faults: readonly string[];
}

export function printRows(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([...row]);
  console.log(table.toString());
}
