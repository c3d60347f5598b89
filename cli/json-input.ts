import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import type { World } from './world.ts';

/** A flag that names a JSON file (`-`: standard input) of this form: its faults are told with all others. */
export function jsonFile<Schema extends z.ZodType>(schema: Schema, world: World) {
  return z.string().transform(async (path, context): Promise<z.output<Schema>> => {
    const faults: string[] = [];
    let value: unknown;
    if (path === '-' && world.input.isTTY) {
      const message = 'expected a pipe on standard input, not a terminal';
      context.addIssue({ code: 'custom', message, params: { shown: path } });
      return z.NEVER;
    }
    try {
      const text = path === '-' ? await textOf(world.input) : await readFile(path, 'utf8');
      value = parsed(text, faults);
    } catch (error) {
      faults.push(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    }
    const result = faults.length > 0 ? undefined : schema.safeParse(value);
    for (const issue of result?.error?.issues ?? []) {
      const where = issue.path.map(String).join('.');
      faults.push(where === '' ? issue.message : `${where}: ${issue.message}`);
    }
    if (result?.success) return result.data;
    for (const message of faults) context.addIssue({ code: 'custom', message, params: { shown: path } });
    return z.NEVER;
  });
}

// The parser's own words would quote the document.
function parsed(text: string, faults: string[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    faults.push('it is not JSON');
    return undefined;
  }
}
