import { describe, expect, test } from 'vitest';
import { type Column, factLines, Table } from '../../cli/table.ts';
import { cutTo, printable, widthOf, wrapTo } from '../../cli/text.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'id', of: ({ id }) => id, narrow: 'keep' },
  { head: 'name', of: ({ name }) => name, narrow: 'cut' },
  { head: 'note', of: ({ note }) => note.split('|') },
];
const ROWS: readonly Row[] = [
  { id: '4f1c0a2e-92b7-4d5e-8c11-000000000001', name: 'Ada', note: 'short' },
  {
    id: '4f1c0a2e-92b7-4d5e-8c11-000000000002',
    name: 'Wolfeschlegelsteinhausenbergerdorff the Elder of Germantown',
    note: 'goes on in the next line where there is no room for all of it|second value',
  },
];

const dim = (text: string) => text;

describe('a table', () => {
  test('fits a terminal: identifiers whole, names cut, the rest wrapped', () => {
    const lines = new Table(COLUMNS, { columns: 80, dim }).lines(ROWS);
    expect(lines).toMatchInlineSnapshot(`
      [
        "id                                    name                  note",
        "4f1c0a2e-92b7-4d5e-8c11-000000000001  Ada                   short",
        "4f1c0a2e-92b7-4d5e-8c11-000000000002  Wolfeschlegelsteinh…  goes on in the next",
        "                                                            line where there is",
        "                                                            no room for all of",
        "                                                            it",
        "                                                            second value",
      ]
    `);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  test('is as wide as it takes where nobody looks', () => {
    const lines = new Table(COLUMNS, { columns: undefined, dim }).lines(ROWS);
    expect(lines).toHaveLength(4);
    expect(lines[2]).toBe(`${ROWS[1]?.id}  ${ROWS[1]?.name}  ${ROWS[1]?.note.split('|')[0]}`);
  });

  test('gives up optional columns first, the last one first', () => {
    const optional = (head: string): Column<Row> => ({ head, of: () => '2026-01-02', optional: true });
    const heads = (columns: number) =>
      new Table([...COLUMNS.slice(0, 1), optional('created'), optional('updated')], {
        columns,
        dim,
      }).lines(ROWS)[0];
    expect(heads(80)?.split(/\s+/)).toEqual(['id', 'created', 'updated']);
    expect(heads(50)?.split(/\s+/)).toEqual(['id', 'created']);
    expect(heads(40)).toBe('id');
  });

  test('has its heads once, and on a terminal the columns of the first rows', () => {
    const table = new Table(COLUMNS, { columns: 60, dim });
    const [head, first] = table.lines(ROWS.slice(0, 1));
    const later = table.lines(ROWS.slice(1));
    expect(head?.startsWith('id ')).toBe(true);
    expect(first?.indexOf('Ada')).toBe(head?.indexOf('name'));
    expect(later[0]?.slice(head?.indexOf('name'), head?.indexOf('note'))).toBe('Wol…  ');
    for (const line of later) expect(widthOf(line)).toBeLessThanOrEqual(60);
  });

  test('aligns what a terminal shows two columns wide, and numbers to the right', () => {
    const table = new Table<readonly [string, string]>(
      [
        { head: 'name', of: ([name]) => name },
        { head: 'n', of: ([, n]) => n, align: 'right' },
      ],
      { columns: undefined, dim },
    );
    expect(
      table.lines([
        ['山田太郎', '7'],
        ['Zoë🙂', '1234'],
      ]),
    ).toEqual(['name         n', '山田太郎     7', 'Zoë🙂     1234']);
  });

  test('breaks an identifier only where there is no other way', () => {
    const lines = new Table(COLUMNS, { columns: 30, dim }).lines(ROWS);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(30);
  });

  test('shows pairs without heads, several values below each other', () => {
    const facts = [['mail', 'ada@institution.edu'] as const, ['departments', ['History', 'Art']] as const];
    expect(factLines(facts, { columns: 80, dim })).toEqual([
      'mail         ada@institution.edu',
      'departments  History',
      '             Art',
    ]);
    expect(factLines([], { columns: 80, dim })).toEqual([]);
  });
});

describe('text', () => {
  test('cannot steer the terminal', () => {
    expect(printable('a\x1b[2Jb\r\nc\u202ed\x9be')).toBe('a�[2Jb��c�d�e');
  });

  test.each([
    ['plain', 5],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['山田', 4],
    ['👩‍👩‍👧', 2],
    ['🇨🇭', 2],
  ])('%s takes %d columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  test('is cut with …, never within a character', () => {
    expect(cutTo('abcdef', 6)).toBe('abcdef');
    expect(cutTo('abcdefg', 6)).toBe('abcde…');
    expect(cutTo('山田太郎', 6)).toBe('山田…');
  });

  test.each([
    ['', 5, ['']],
    ['one two three', 7, ['one two', 'three']],
    ['  two', 7, ['  two']],
    ['ab', 0, ['a', 'b']],
    ['https://long', 5, ['https', '://lo', 'ng']],
    ['a https://b c', 5, ['a', 'https', '://b', 'c']],
  ])('%j wrapped to %d', (text, width, lines) => {
    expect(wrapTo(text, width)).toEqual(lines);
  });
});
