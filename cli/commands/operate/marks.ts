import type { Output } from '../../output.ts';
import type { TableSpace } from '../../table.ts';
import { printable, wrapTo } from '../../text.ts';

/** How something stands, at the begin of its line. */
export const MARKS = {
  ok: '✓',
  note: '·',
  attention: '!',
  broken: '✗',
} as const;

type Mark = (typeof MARKS)[keyof typeof MARKS];

const STYLES = { '✓': 'green', '·': 'dim', '!': 'yellow', '✗': 'red' } as const;
const LEADING = /^[✓·!✗](?= )/;

/** A sentence behind its mark, wrapped on a terminal. */
export function marked(mark: Mark, text: string, { columns }: Pick<TableSpace, 'columns'>): string[] {
  const lines = columns === undefined ? [printable(text)] : wrapTo(printable(text), columns - 2);
  return lines.map((line, at) => `${at === 0 ? mark : ' '} ${line}`);
}

/** Lines with the colour of the mark that they begin with. */
export function coloured(lines: readonly string[], output: Output): string[] {
  return lines.map((line) => line.replace(LEADING, (mark) => output.paint(STYLES[mark as Mark], mark)));
}
