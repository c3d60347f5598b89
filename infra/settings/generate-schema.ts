import { writeFileSync } from 'node:fs';
import { JSON_SCHEMA_FILE, settingsJsonSchema } from './json-schema.ts';

writeFileSync(JSON_SCHEMA_FILE, settingsJsonSchema());
