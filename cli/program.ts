import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Command } from 'commander';
import { checkCommand } from './commands/check/index.ts';
import { completionCommand } from './commands/completion/index.ts';
import { identitiesCommand } from './commands/identities.ts';
import { localCommand } from './commands/local.ts';
import { operatorCommands } from './commands/operate/index.ts';
import { pullCommand } from './commands/pull/index.ts';
import { secretCommand } from './commands/secret/index.ts';
import { EXIT } from './exit-codes.ts';
import { exitCodeFor } from './failure.ts';
import { groupCommands } from './help.ts';
import { wrapTo } from './text.ts';
import { columnsOf, type World } from './world.ts';

const { version, description } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string };

/** Where there is no terminal to fit. */
const HELP_COLUMNS = 80;

const COMMANDS = [
  localCommand,
  pullCommand,
  checkCommand,
  operatorCommands,
  secretCommand,
  identitiesCommand,
  completionCommand,
];

/** All of `orglog`, before anything is parsed. */
export function programOf(world: World): Command {
  const { out, err } = world;
  const program = new Command('orglog')
    .description(`${description}.`)
    .version(version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => columnsOf(out) ?? HELP_COLUMNS,
      getErrHelpWidth: () => columnsOf(err) ?? HELP_COLUMNS,
      outputError: (text, write) => write(text.replace(/^error: /, 'orglog: ')),
    })
    .showHelpAfterError('See `orglog --help`.');
  for (const add of COMMANDS) add(program, world);
  groupCommands(program);
  return program;
}

/** Runs `orglog`. Returns its exit code (exit-codes.ts); never rejects. */
export async function orglog(world: World): Promise<number> {
  const { out, err } = world;
  let lost: string | undefined;
  out.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
    // Whoever closed the pipe had enough.
    if (code !== 'EPIPE' && code !== 'ECONNRESET') lost ??= code;
  });
  err.on('error', () => {});
  const exitCode = await ended(world);
  // A stream tells of its errors a moment after the write.
  await setImmediate();
  if (lost === undefined || exitCode !== EXIT.fine) return exitCode;
  err.write(
    `orglog: standard output cannot be written (${lost}): what it has is not whole. Check the disk\n`,
  );
  return EXIT.trouble;
}

async function ended(world: World): Promise<number> {
  const { args, err } = world;
  try {
    await programOf(world).parseAsync(args, { from: 'user' });
    return EXIT.fine;
  } catch (error) {
    return exitCodeFor(error, (text) => {
      const columns = text.includes('\n') ? undefined : columnsOf(err);
      err.write(`${columns === undefined ? text : wrapTo(text, columns).join('\n')}\n`);
    });
  }
}
