import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { settingsSchema } from './schema.ts';

export const JSON_SCHEMA_FILE = fileURLToPath(new URL('../../orglog.config.schema.json', import.meta.url));

/** What gives completion in an editor: generated, committed, and a test fails when it is stale. */
export function settingsJsonSchema(): string {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify({ title: 'orglog.config.json', ...schema }, null, 2)}\n`;
}
