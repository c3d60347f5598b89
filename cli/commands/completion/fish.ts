import type { CompletedCommand, CompletedOption } from './tree.ts';

/** For fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return `# Completes orglog in fish: orglog completion fish | source
function __orglog_at
    set -l called ''
    for word in (commandline -opc)[2..-1]
        switch "$called $word"
            case ${paths.map(quoted).join(' ')}
                set called "$called $word"
        end
    end
    test "$called" = "$argv[1]"
end

function __orglog_ids
    set -l words (commandline -opc)
    set -l at (contains -i -- --data-dir $words)
    and set -l folder --data-dir $words[(math $at + 1)]
    orglog completion ids $argv[1] $folder 2>/dev/null
end

complete -c orglog -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, words, options }: CompletedCommand): string[] {
  const here = `complete -c orglog -n ${quoted(`__orglog_at ${quoted(path)}`)}`;
  return [
    ...words.map(({ name, summary }) => `${here} -a ${quoted(name)} -d ${quoted(summary)}`),
    ...options.map(
      (option) => `${here} -l ${option.name.slice(2)}${behind(option)} -d ${quoted(option.summary)}`,
    ),
  ];
}

function behind({ value }: CompletedOption): string {
  switch (value) {
    case 'none':
      return '';
    case 'file':
      return ' -r -F';
    case 'folder':
      return " -x -a '(__fish_complete_directories)'";
    case 'other':
      return ' -x';
    case 'organizations':
    case 'destinations':
      return ` -x -a '(__orglog_ids ${value})'`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
