import { Argument, type Command } from 'commander';
import { Output } from '../../output.ts';
import type { World } from '../../world.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { type IdKind, idsAtHand } from './ids.ts';
import { type CompletedCommand, completedCommands } from './tree.ts';
import { zshCompletion } from './zsh.ts';

const SHELLS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const HELP = `
Examples:
  orglog completion bash >> ~/.bash_completion
  orglog completion zsh > "\${fpath[1]}/_orglog"
  orglog completion fish > ~/.config/fish/completions/orglog.fish

Ids of organizations and destinations come from the data folder, or from
orglog.config.json where one stands: AWS is not asked.
Exit codes: 0 fine, 2 usage.`;

/** `orglog completion`: commands, options and ids at a press of the tabulator. */
export function completionCommand(program: Command, world: World): void {
  const command = program
    .command('completion')
    .summary('complete commands, options and ids in a shell')
    .description('Print what makes a shell complete commands, options and ids.')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(SHELLS)))
    .helpCommand(false)
    .addHelpText('after', HELP)
    .action(async (shell: string) => {
      const text = SHELLS[shell]?.(completedCommands(program)) ?? '';
      await new Output(world, { json: false }).lines([text.trimEnd()]);
    });
  // Asked by those scripts.
  command
    .command('ids', { hidden: true })
    .description('Print ids that are at hand, one a line.')
    .addArgument(new Argument('<kind>').choices(['organizations', 'destinations']))
    .option('--data-dir <dir>', 'the data folder of an `orglog local`')
    .addHelpText('after', '\nExamples:\n  orglog completion ids organizations')
    .action(async (kind: IdKind, { dataDir }: { dataDir?: string }) => {
      const folder = dataDir ?? (world.env.ORGLOG_DATA_DIR || undefined);
      await new Output(world, { json: false }).lines(await idsAtHand(kind, folder));
    });
}
