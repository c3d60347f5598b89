import type { CompletedCommand, ValueKind } from './tree.ts';

/** For bash 3.2 (macOS) and later. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completes orglog in bash: source <(orglog completion bash)
_orglog_ids() {
  local at folder=()
  for ((at = 1; at < COMP_CWORD - 1; at++)); do
    if [[ \${COMP_WORDS[at]} == --data-dir ]]; then folder=(--data-dir "\${COMP_WORDS[at + 1]}"); fi
  done
  orglog completion ids "$1" \${folder[@]+"\${folder[@]}"} 2>/dev/null
}

_orglog() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' at
  local IFS=$' \\t\\n'
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$path \${COMP_WORDS[at]}" in
      ${alternatives(commands.map(({ path }) => path).filter((path) => path !== ''))}) path="$path \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$path $previous" in
${VALUES.map(([kind, action]) => branch(optionsWith(commands, kind), action)).join('')}  esac
  case "$path" in
${commands.map((command) => branch([command.path], `words='${wordsOf(command)}'`)).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -F _orglog orglog
`;
}

const VALUES: readonly (readonly [kind: ValueKind, action: string])[] = [
  ['organizations', 'COMPREPLY=($(compgen -W "$(_orglog_ids organizations)" -- "$current")); return'],
  ['destinations', 'COMPREPLY=($(compgen -W "$(_orglog_ids destinations)" -- "$current")); return'],
  ['file', 'IFS=$\'\\n\'; COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null; return'],
  [
    'folder',
    'IFS=$\'\\n\'; COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames 2>/dev/null; return',
  ],
  ['other', 'return'],
];

function branch(patterns: readonly string[], action: string): string {
  return patterns.length === 0 ? '' : `    ${alternatives(patterns)}) ${action} ;;\n`;
}

function alternatives(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join('|');
}

function wordsOf({ words, options }: CompletedCommand): string {
  return [...words, ...options].map(({ name }) => name).join(' ');
}

function optionsWith(commands: readonly CompletedCommand[], kind: ValueKind): string[] {
  return commands.flatMap(({ path, options }) =>
    options.filter(({ value }) => value === kind).map(({ name }) => `${path} ${name}`),
  );
}
