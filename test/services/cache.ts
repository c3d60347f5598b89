import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where downloads and builds are kept; `ORGLOG_SERVICES_CACHE` puts them elsewhere, to outlive a clone. */
const CACHE = process.env.ORGLOG_SERVICES_CACHE ?? fileURLToPath(new URL('../../.services', import.meta.url));

/**
 * The folder of this name, made once and kept.
 *
 * @param name tells everything that the content depends on, versions included
 * @param make fills the empty folder that it is given; what it leaves half done is thrown away
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, '.making-'));
  try {
    await make(unfinished);
    // Another run may have been faster: its folder is as good.
    await rename(unfinished, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
