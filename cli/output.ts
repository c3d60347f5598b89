import { once } from 'node:events';
import { styleText } from 'node:util';
import type { TableSpace } from './table.ts';
import { columnsOf, type Screen, type World } from './world.ts';

type Style = Parameters<typeof styleText>[0];

/** C0 is escaped by JSON itself; these, which a terminal may obey, are not. */
const OTHER_CONTROLS = /[\x7f-\x9f]/g;

/** What a command says: its result on stdout, for people or as JSON, and everything else on stderr. */
export class Output {
  readonly json: boolean;
  readonly #out: Screen;
  readonly #err: Screen;
  readonly #colours: boolean;
  #closed = false;

  constructor({ out, err, env }: World, { json }: { readonly json: boolean }) {
    this.json = json;
    this.#out = out;
    this.#err = err;
    // https://no-color.org: any value but the empty one.
    this.#colours = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
    out.once('error', () => {
      this.#closed = true;
    });
  }

  /** Whether nobody reads the result any more (`… | head`): what is left to do is in vain. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether somebody sees the result come line by line. */
  get live(): boolean {
    return this.#out.isTTY === true;
  }

  /** Space for a table on stdout. */
  get space(): TableSpace {
    return this.#spaceOn(this.#out);
  }

  /** Lines to stdout; resolves once there is room for more. */
  async lines(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await this.#write(`${lines.join('\n')}\n`);
  }

  /** The one JSON document of a command. */
  async document(value: unknown): Promise<void> {
    await this.#write(`${escaped(JSON.stringify(value, undefined, 2))}\n`);
  }

  /** Values as NDJSON, one a line. */
  async records(values: readonly unknown[]): Promise<void> {
    await this.lines(values.map((value) => escaped(JSON.stringify(value))));
  }

  /** The result: as JSON, or as lines for people. */
  async result(value: unknown, human: (space: TableSpace) => readonly string[]): Promise<void> {
    if (this.json) await this.document(value);
    else await this.lines(human(this.space));
  }

  /** A text for stdout, with colour where that shows any. */
  paint(style: Style, text: string): string {
    return this.#paint(this.#out, style, text);
  }

  /** A remark for people, on stderr. */
  note(text: string): void {
    this.#err.write(`${this.#paint(this.#err, 'dim', text)}\n`);
  }

  /** Lines for people on stderr: what is about to happen. */
  announce(title: string, lines: (space: TableSpace) => readonly string[]): void {
    const body = lines(this.#spaceOn(this.#err, INDENT.length)).map((line) => `${INDENT}${line}\n`);
    this.#err.write(`${this.#paint(this.#err, 'bold', title)}\n${body.join('')}`);
  }

  #spaceOn(screen: Screen, indented = 0): TableSpace {
    const columns = columnsOf(screen);
    return {
      columns: columns === undefined ? undefined : columns - indented,
      dim: (text) => this.#paint(screen, 'dim', text),
    };
  }

  #paint(screen: Screen, style: Style, text: string): string {
    return this.#colours && screen.isTTY ? styleText(style, text, { validateStream: false }) : text;
  }

  async #write(text: string): Promise<void> {
    if (this.#closed || this.#out.write(text)) return;
    // An error ends the wait as well: the listener above has taken note.
    await once(this.#out, 'drain').catch(() => {});
  }
}

const INDENT = '  ';

function escaped(json: string): string {
  return json.replace(OTHER_CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
