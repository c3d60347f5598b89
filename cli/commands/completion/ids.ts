import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const named = z.array(z.object({ id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/) }));
const file = z.object({ organizations: named.catch([]), destinations: named.catch([]) });

export type IdKind = keyof z.output<typeof file>;

/**
 * Ids that are at hand without asking anybody: those of a data folder, of the settings where one stands, and of the
 * data folder of `orglog local` there. AWS is not asked: that would take seconds, and a login.
 *
 * @param folder as `--data-dir` or ORGLOG_DATA_DIR name it
 */
export async function idsAtHand(kind: IdKind, folder: string | undefined): Promise<string[]> {
  const { pathsIn } = await import('../../../local/backend.ts');
  const files = folder === undefined ? ['orglog.config.json', pathsIn('.local').run] : [pathsIn(folder).run];
  const found = await Promise.all(files.map((path) => idsIn(path, kind)));
  return [...new Set(found.flat())].sort();
}

async function idsIn(path: string, kind: IdKind): Promise<string[]> {
  try {
    return file.parse(JSON.parse(await readFile(path, 'utf8')))[kind].map(({ id }) => id);
  } catch {
    return [];
  }
}
