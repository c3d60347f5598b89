import { describe, expect, test } from 'vitest';
import { completedCommands } from '../../../cli/commands/completion/tree.ts';
import { GROUPS } from '../../../cli/help.ts';
import { programOf } from '../../../cli/program.ts';
import { processWorld } from '../../../cli/world.ts';
import { orglogHere } from '../in-process.ts';

const commands = completedCommands(programOf(processWorld()));
const leaves = commands.filter(({ words, path }) => words.length === 0 || path === ' completion');

async function helpOf(path: string, columns?: number): Promise<string> {
  const { outcome, stdout, stderr } = await orglogHere([...path.split(' ').filter(Boolean), '--help'], {
    ...(columns !== undefined && { columns }),
  });
  expect({ outcome, stderr }).toEqual({ outcome: 0, stderr: '' });
  return stdout;
}

/** What a text calls, lines that go on joined. */
function callsIn(text: string): string[] {
  return [...text.replaceAll(/\\\n\s*/g, '').matchAll(/^ {2}.*?\b(orglog [a-z].*)$/gm)].map(
    ([, call = '']) => call,
  );
}

/** The command of a call, and its options that the command has not. */
function unknownIn(call: string): { path: string; unknown: string[] } {
  const words =
    call
      .split(/ \| | > | >> /, 1)[0]
      ?.split(/\s+/)
      .slice(1) ?? [];
  let path = '';
  for (const word of words) if (commands.some((one) => one.path === `${path} ${word}`)) path += ` ${word}`;
  const known = commands.find((one) => one.path === path)?.options.map(({ name }) => name) ?? [];
  return { path, unknown: words.filter((word) => word.startsWith('--') && !known.includes(word)) };
}

describe('--help', () => {
  test.each(commands.map(({ path }) => [path]))('of orglog%s fits 80 columns', async (path) => {
    for (const columns of [undefined, 80]) {
      const lines = (await helpOf(path, columns)).split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test.each(leaves.map(({ path }) => [path]))('of orglog%s has an example that is right', async (path) => {
    const help = await helpOf(path);
    const examples = callsIn(help.slice(help.indexOf('\nExamples:')));
    expect(examples.map(unknownIn)).toContainEqual({ path, unknown: [] });
    expect(examples.flatMap((call) => unknownIn(call).unknown)).toEqual([]);
    expect(help).toContain('Exit codes: 0');
  });

  test('of the program has every command in a group, with an example', async () => {
    const help = await helpOf('');
    const named = GROUPS.flatMap(({ examples }) => Object.keys(examples));
    expect(named).toEqual(commands[0]?.words.map(({ name }) => name));
    expect(help).not.toContain('\nCommands:');
    for (const { title, examples } of GROUPS) {
      expect(help).toContain(`\n${title}\n`);
      for (const [name, example] of Object.entries(examples)) {
        expect(unknownIn(example)).toEqual({ path: expect.stringMatching(`^ ${name}`), unknown: [] });
        expect(help).toContain(`  ${example}\n`);
      }
    }
  });
});
