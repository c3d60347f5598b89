import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../siem/generate/generators.ts';

const SIEM = join(import.meta.dirname, '../../siem');

describe('the generated files of siem/', () => {
  it.each(generatedFiles().map((file) => [file.path, file] as const))(
    '%s is what npm run generate:siem writes',
    async (path, { content }) => {
      const committed = await readFile(join(SIEM, path), 'utf8');
      // The formatter lays out JSON; only the value is ours.
      if (path.endsWith('.json')) expect(JSON.parse(committed)).toStrictEqual(JSON.parse(content));
      else expect(committed).toBe(content);
    },
  );

  it('are named by the README, and nothing else calls itself generated', async () => {
    const readme = await readFile(join(SIEM, 'README.md'), 'utf8');
    const patterns = [...readme.matchAll(/^\| `([^`]+)` \|.*\| generated \|$/gm)].map(
      ([, pattern = '']) => pattern,
    );
    const named: string[] = [];
    for (const pattern of patterns) {
      const before = named.length;
      for await (const file of glob(pattern, { cwd: SIEM })) named.push(file);
      expect(named.length, `${pattern} names no file`).toBeGreaterThan(before);
    }
    expect(named.sort()).toStrictEqual(generatedFiles().map(({ path }) => path));
  });
});
