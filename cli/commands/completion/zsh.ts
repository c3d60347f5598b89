import type { CompletedCommand, ValueKind } from './tree.ts';

/** For zsh: sourced, or as a file `_orglog` in the fpath. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef orglog
# Completes orglog in zsh: source <(orglog completion zsh)
_orglog_ids() {
  local -a folder ids
  local at=\${words[(I)--data-dir]}
  (( at > 0 && at < CURRENT )) && folder=(--data-dir "\${words[at + 1]}")
  ids=(\${(f)"$(orglog completion ids $1 $folder 2>/dev/null)"})
  compadd -a ids
}

_orglog() {
  local called='' at
  local -a items
  for ((at = 2; at < CURRENT; at++)); do
    case "$called \${words[at]}" in
      (${alternatives(commands.map(({ path }) => path).filter((path) => path !== ''))}) called="$called \${words[at]}" ;;
    esac
  done
  case "$called \${words[CURRENT - 1]}" in
${VALUES.map(([kind, action]) => valueBranch(commands, kind, action)).join('')}  esac
  case "$called" in
${commands.map(itemsBranch).join('')}  esac
  _describe orglog items
}

if [[ "\${funcstack[1]}" == _orglog ]]; then _orglog "$@"; else compdef _orglog orglog; fi
`;
}

const VALUES: readonly (readonly [kind: ValueKind, action: string])[] = [
  ['organizations', '_orglog_ids organizations; return'],
  ['destinations', '_orglog_ids destinations; return'],
  ['file', '_files; return'],
  ['folder', '_files -/; return'],
  ['other', 'return'],
];

function valueBranch(commands: readonly CompletedCommand[], kind: ValueKind, action: string): string {
  const patterns = commands.flatMap(({ path, options }) =>
    options.filter(({ value }) => value === kind).map(({ name }) => `${path} ${name}`),
  );
  return patterns.length === 0 ? '' : `    (${alternatives(patterns)}) ${action} ;;\n`;
}

function itemsBranch({ path, words, options }: CompletedCommand): string {
  const items = [...words, ...options].map(({ name, summary }) => quoted(`${name}:${summary}`));
  return `    (${quoted(path)}) items=(${items.join(' ')}) ;;\n`;
}

function alternatives(texts: readonly string[]): string {
  return texts.map(quoted).join('|');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
