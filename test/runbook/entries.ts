import { readFileSync } from 'node:fs';

/** A fenced block of an entry. */
export interface Block {
  /** `sh`: to be run; `text`: what is then seen. */
  readonly kind: string;
  /** The bold or bulleted words that it stands under: `First`, `paused`, … */
  readonly under: string;
  readonly text: string;
  /** Line in the file, from 1. */
  readonly line: number;
}

export interface Entry {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A document's sections by their headings of level 2, with the fenced blocks in them; what stands before is `''`. */
export function entriesOf(path: string): ReadonlyMap<string, Entry> {
  const found = new Map<string, { name: string; text: string; blocks: Block[] }>();
  let entry = { name: '', text: '', blocks: [] as Block[] };
  found.set('', entry);
  let under = '';
  let open: { kind: string; indent: number; line: number; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const fence = /^( *)```(\w*)$/.exec(line);
    const heading = open === undefined ? /^## (.+)$/.exec(line)?.[1] : undefined;
    if (heading !== undefined) {
      entry = { name: heading, text: '', blocks: [] };
      found.set(heading, entry);
      under = '';
    }
    entry.text += `${line}\n`;
    if (open !== undefined && fence !== null) {
      const { kind, lines } = open;
      entry.blocks.push({ kind, under, text: lines.join('\n'), line: open.line });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line.slice(open.indent));
    else if (fence !== null)
      open = { kind: fence[2] ?? '', indent: fence[1]?.length ?? 0, line: index + 1, lines: [] };
    else under = /^(?:- )?\*\*(.+?)\*\*/.exec(line)?.[1] ?? under;
  }
  return found;
}

export const RUNBOOK = 'docs/runbook.md';

/** The commands of a block, one a line, with what the shell joins joined. */
export function commandsOf({ text }: Pick<Block, 'text'>): string[] {
  return text
    .replace(/ *\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** A command line's words, as a shell divides it: quotes, and nothing else that a shell does. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g);
  return [...words].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, (_all, one, two) => one ?? two));
}
