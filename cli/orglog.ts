#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { localCommand } from './commands/local.ts';
import { exitCodeFor } from './failure.ts';
import { wrap } from './format.ts';

/*
 * The operator's command. Each subcommand is one file in commands/. Exit codes: 0 fine, 1 trouble (one sentence on
 * stderr that says what to do), 2 usage.
 */

const { version, description } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; description: string };

const program = new Command('orglog')
  .description(`${description}.`)
  .version(version)
  .helpCommand(false)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'orglog: ')) })
  .showHelpAfterError('See `orglog --help`.');

for (const add of [localCommand]) add(program);

try {
  await program.parseAsync();
} catch (error) {
  const { isTTY, columns } = process.stderr;
  process.exitCode = exitCodeFor(error, (text) => {
    const isSentence = !text.includes('\n');
    process.stderr.write(`${isTTY && isSentence ? wrap(text, columns).join('\n') : text}\n`);
  });
}
