import type { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';

/** The commands in the order in which a person meets them, each with what it is called with most. */
export const GROUPS: readonly {
  readonly title: string;
  readonly examples: Readonly<Record<string, string>>;
}[] = [
  {
    title: 'Without AWS:',
    examples: {
      local: 'orglog local --once --events 100000',
      pull: 'orglog pull --org-url https://institution.edu/ --output log.ndjson',
    },
  },
  {
    title: 'How it is:',
    examples: {
      check: 'orglog check --config orglog.config.json',
      status: 'orglog status --watch',
      verify: 'orglog verify --org institution --from 7d --to now',
    },
  },
  {
    title: 'Put it right:',
    examples: {
      replay: 'orglog replay --org institution --from 6h --to now --dry-run',
      rewind: 'orglog rewind --org institution --to 2026-01-02T03:04Z',
      redrive: 'orglog redrive --destination splunk',
      rejected: 'orglog rejected list',
      pause: 'orglog pause --org institution',
      resume: 'orglog resume --org institution',
    },
  },
  {
    title: 'Set up:',
    examples: {
      secret: 'orglog secret set --org institution',
      identities: 'orglog identities list --all --json',
      completion: 'orglog completion bash >> ~/.bash_completion',
    },
  },
];

/** Sorts the program's commands into groups, and shows an example of each. */
export function groupCommands(program: Command): void {
  for (const command of program.commands) {
    const group = GROUPS.find(({ examples }) => command.name() in examples);
    if (group !== undefined) command.helpGroup(group.title);
  }
  const examples = GROUPS.flatMap((group) => Object.values(group.examples));
  program.addHelpText(
    'after',
    `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}\n\nEach command has a --help of its own.\n${EXIT_CODES}`,
  );
}
