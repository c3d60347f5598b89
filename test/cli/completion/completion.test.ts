import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completedCommands } from '../../../cli/commands/completion/tree.ts';
import { programOf } from '../../../cli/program.ts';
import { processWorld } from '../../../cli/world.ts';
import { pathsIn } from '../../../local/backend.ts';
import { type TemporaryFolder, temporaryFolder } from '../../local/temporary-folder.ts';
import { orglogHere } from '../in-process.ts';

const commands = completedCommands(programOf(processWorld()));
const scriptOf = async (shell: string) => (await orglogHere(['completion', shell])).stdout;

const ENTRY = join(import.meta.dirname, '../../../cli/orglog.ts');
/** Prints what bash would offer for each line of words, the last of them unfinished. */
const HARNESS = `
orglog() { "$NODE" "$ENTRY" "$@"; }
source "$SCRIPT"
while IFS='|' read -r -a COMP_WORDS; do
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  [[ \${COMP_WORDS[COMP_CWORD]} == ' ' ]] && COMP_WORDS[COMP_CWORD]=''
  _orglog
  echo "\${COMPREPLY[*]-}"
done
`;

describe('in bash', () => {
  let folder: TemporaryFolder;
  let script: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    script = join(folder.path, 'orglog.bash');
    await writeFile(script, await scriptOf('bash'));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  /** @param lines the words of each, the last one unfinished */
  function offered(lines: readonly (readonly string[])[]): string[][] {
    const env = { PATH: process.env.PATH ?? '', NODE: process.execPath, ENTRY, SCRIPT: script };
    const input = lines.map((words) => ['orglog', ...words].map((word) => word || ' ').join('|'));
    const output = execFileSync('bash', ['--norc', '-c', HARNESS], {
      ...{ env, cwd: folder.path, input: `${input.join('\n')}\n`, encoding: 'utf8' },
    });
    const answers = output.split('\n').slice(0, -1);
    return answers.map((answer) => answer.split(' ').filter(Boolean));
  }

  test('every command offers its subcommands and options, and no others', () => {
    const found = offered(commands.map(({ path }) => [...path.split(' ').filter(Boolean), '']));
    const expected = commands.map(({ words, options }) => [...words, ...options].map(({ name }) => name));
    expect(found).toEqual(expected);
    expect(found[0]).toContain('status');
  });

  test('what was begun is completed, behind other options too', () => {
    expect(
      offered([
        ['st'],
        ['identities', 'cre'],
        ['status', '--json', '--or'],
        ['pull', '--limit', ''],
        ['nothing', ''],
      ]),
    ).toEqual([['status'], ['create', 'credential'], ['--org'], [], expect.arrayContaining(['local'])]);
  });

  test('ids come from the settings, or from the data folder that is named', async () => {
    const ids = (...names: string[]) => names.map((id) => ({ id }));
    const settings = { organizations: ids('institution', 'college'), destinations: ids('splunk') };
    await writeFile(join(folder.path, 'orglog.config.json'), JSON.stringify(settings));
    const run = { organizations: ids('elsewhere'), destinations: ids('siem') };
    await writeFile(pathsIn(folder.path).run, JSON.stringify(run));
    expect(
      offered([
        ['status', '--org', ''],
        ['redrive', '--destination', 's'],
        ['verify', '--data-dir', folder.path, '--org', ''],
        ['redrive', '--data-dir', join(folder.path, 'none'), '--destination', ''],
      ]),
    ).toEqual([['college', 'institution'], ['splunk'], ['elsewhere'], []]);
  });

  test('files and folders stand where they are expected', async () => {
    expect(
      offered([
        ['check', '--config', 'orglog.b'],
        ['check', '--data-dir', 'orglog.b'],
      ]),
    ).toEqual([['orglog.bash'], []]);
  });
});

describe.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('in %s', (shell, parseOnly) => {
  test('every command and option is there, in a text that the shell reads where it is installed', async () => {
    await using folder = await temporaryFolder();
    const text = await scriptOf(shell);
    for (const { path, words, options } of commands) {
      if (path !== '') expect(text).toContain(`'${path}'`);
      for (const { name } of [...words, ...options])
        expect(text).toContain(shell === 'fish' ? name.replace(/^--/, '') : `'${name}:`);
    }
    const script = join(folder.path, 'script');
    await writeFile(script, text);
    const parsed = spawnSync(shell, [...parseOnly, script], { encoding: 'utf8' });
    // Not installed: undefined and null.
    expect([parsed.stderr || null, parsed.status || null]).toEqual([null, null]);
  });
});

test('another shell is a usage fault that names those there are', async () => {
  const { outcome, stdout, stderr } = await orglogHere(['completion', 'csh']);
  expect({ outcome, stdout }).toEqual({ outcome: 2, stdout: '' });
  expect(stderr).toContain('bash, zsh, fish');
});
