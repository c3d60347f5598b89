import type { Command, Option } from 'commander';

/** What may stand behind an option. */
export type ValueKind = 'organizations' | 'destinations' | 'file' | 'folder' | 'other' | 'none';

export interface CompletedOption {
  /** `--org` */
  readonly name: string;
  readonly summary: string;
  readonly value: ValueKind;
}

/** One command as a shell completes it. */
export interface CompletedCommand {
  /** The names below `orglog`, each with a space before: ` identities list`. */
  readonly path: string;
  readonly words: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
}

/** Every command of the program, the program itself first. */
export function completedCommands(program: Command): CompletedCommand[] {
  return below(program, '');
}

function below(command: Command, path: string): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const operands = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const own = {
    path,
    words: [
      ...commands.map((each) => ({ name: each.name(), summary: each.summary() })),
      ...operands.map((name) => ({ name, summary: '' })),
    ],
    options: help.visibleOptions(command).map(completed),
  };
  return [own, ...commands.flatMap((each) => below(each, `${path} ${each.name()}`))];
}

function completed({ long, short, flags, description, required, optional }: Option): CompletedOption {
  const name = long ?? short ?? '';
  const value = required || optional ? kindOf(name, flags) : 'none';
  return { name, summary: description, value };
}

/** By what stands behind it in the help. */
function kindOf(name: string, flags: string): ValueKind {
  if (name === '--org') return 'organizations';
  if (name === '--destination') return 'destinations';
  if (flags.includes('<file>')) return 'file';
  return flags.includes('<dir>') ? 'folder' : 'other';
}
