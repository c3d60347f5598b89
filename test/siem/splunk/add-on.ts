import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Conf, parseConf } from './conf.ts';

/** Where the add-on lies. */
export const ADD_ON = join(import.meta.dirname, '../../../siem/splunk/TA-orglog');

export const SOURCE_TYPE = 'orglog:event';
export const IDENTITY_SOURCE_TYPE = 'orglog:identity';

export function readAddOn(path: string): string {
  return readFileSync(join(ADD_ON, path), 'utf8');
}

export function readConf(name: string): Conf {
  return parseConf(readAddOn(`default/${name}`));
}

/** A lookup's file: its columns, and its rows by column. No cell of ours is quoted. */
export function readLookup(filename: string): { columns: string[]; rows: Record<string, string>[] } {
  const [head = '', ...lines] = readAddOn(`lookups/${filename}`).trimEnd().split('\n');
  const columns = head.split(',');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    if (line.includes('"') || cells.length !== columns.length) throw new Error(`not a plain row: ${line}`);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
  return { columns, rows };
}
