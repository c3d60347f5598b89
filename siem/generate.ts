/** `npm run generate:siem`: write every generated file under `siem/`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generate/generators.ts';

for (const { path, content } of generatedFiles()) {
  const file = join(import.meta.dirname, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
