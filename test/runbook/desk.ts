import { expect } from 'vitest';
import { type Block, type Entry, entriesOf, RUNBOOK } from './entries.ts';
import { runBlock, type Said, type Terminal } from './shell.ts';

/** The desk of the person on call: the runbook, and a terminal. */
export class Desk {
  readonly #entries: ReadonlyMap<string, Entry> = entriesOf(RUNBOOK);
  readonly #terminal: Terminal;
  readonly #done = new Set<Block>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /**
   * Runs the commands that an entry has under these words, or some of their blocks.
   *
   * @param only numbers of the blocks, from 0
   */
  async run(
    entry: string,
    under: string,
    { only, ...more }: Partial<Terminal> & { readonly only?: number } = {},
  ): Promise<Said[]> {
    const blocks = this.#blocks(entry, 'sh').filter((block) => block.under === under);
    const chosen = only === undefined ? blocks : blocks.slice(only, only + 1);
    if (chosen.length === 0) throw new Error(`${entry} has no commands under ${under}`);
    const said: Said[] = [];
    for (const block of chosen) {
      this.#done.add(block);
      said.push(...(await runBlock(block, { ...this.#terminal, ...more })));
    }
    return said;
  }

  /** Expects what the entry shows to be what was printed, but for times, numbers and white space. */
  sees(entry: string, said: readonly Said[], which = 0): void {
    const block = this.#blocks(entry, 'text')[which];
    if (block === undefined) throw new Error(`${entry} shows nothing`);
    this.#done.add(block);
    const printed = said.map(({ stdout, stderr }) => plain(stdout + stderr)).join('\n');
    for (const line of block.text.split('\n').filter((one) => one.trim() !== '')) {
      expect(line.length).toBeLessThanOrEqual(80);
      expect(printed).toContain(plain(line));
    }
  }

  /** Blocks that were neither run nor seen. */
  get left(): string[] {
    const blocks = [...this.#entries.values()].flatMap((entry) => (entry.name === WHERE ? [] : entry.blocks));
    return blocks
      .filter((block) => !this.#done.has(block))
      .map(({ line, text }) => `${RUNBOOK}:${line}: ${text}`);
  }

  #blocks(entry: string, kind: string): Block[] {
    const found = this.#entries.get(entry);
    if (found === undefined) throw new Error(`${RUNBOOK} has no entry ${entry}`);
    return found.blocks.filter((block) => block.kind === kind);
  }
}

/** Not an alarm's entry. */
export const WHERE = 'Where to look';

function plain(text: string): string {
  return text
    .replace(/(institution:logs:)[a-z0-9]+/g, '$1epoch')
    .replace(/≥?\d[\d,]*(\.\d+)?/g, '0')
    .replace(/\b0 (s|seconds|min|minutes|h|hours|d|days)\b/g, '0 time')
    .replace(/[ \t]+/g, ' ')
    .replace(/ +$/gm, '');
}

/** All that was printed. */
export function printed(said: readonly Said[]): string {
  return said.map(({ stdout, stderr }) => stdout + stderr).join('\n');
}
