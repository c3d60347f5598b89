import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { it } from 'vitest';
import { temporaryFolder } from '../local/temporary-folder.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../siem/elastic/orglog', import.meta.url));

it('finds no fault in the Elastic package', async () => {
  await using folder = await temporaryFolder();
  const cwd = join(folder.path, 'orglog');
  await cp(PACKAGE, cwd, { recursive: true });
  // Ends with an error where there is a fault, and says which.
  await run(process.env.ORGLOG_TEST_ELASTIC_PACKAGE ?? '', ['lint'], {
    cwd,
    env: { ...process.env, HOME: folder.path },
  });
});
