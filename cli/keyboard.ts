import { StringDecoder } from 'node:string_decoder';
import { EXIT } from './exit-codes.ts';
import { EndedEarly } from './failure.ts';
import type { World } from './world.ts';

const ESC = '\u001b';
/** What follows ESC of a move or a function key: a letter, or `[` or `O` and all to a letter or `~`. */
const KEY = /^(?:[[O][0-9;]*[A-Za-z~]|.)?/s;

/**
 * One answer from the terminal, typed in raw mode, so that what is hidden is nowhere to be seen, and a password that is
 * pasted behind a name is not either. Whatever follows the line's end stays for the next question.
 */
export class Keyboard implements Disposable {
  readonly #world: World;
  readonly #signal: AbortSignal;
  readonly #decoder = new StringDecoder('utf8');
  #typed = '';
  #ended = false;
  #wake: () => void = () => {};

  constructor(world: World, signal: AbortSignal) {
    this.#world = world;
    this.#signal = signal;
    const { input } = world;
    input.setRawMode?.(true);
    input.on('data', this.#take).once('end', this.#end);
    signal.addEventListener('abort', this.#end);
  }

  /** @throws EndedEarly at Ctrl-C, at Ctrl-D, and when the signal fires */
  async ask(question: string, { hidden }: { readonly hidden: boolean }): Promise<string> {
    const { err } = this.#world;
    let answer = '';
    err.write(question);
    try {
      for (;;) {
        for (const char of this.#next()) {
          if (char === '\x03' || (char === '\x04' && answer === '')) throw interrupted();
          if (char === '\r' || char === '\n') return answer;
          if (char === '\x7f' || char === '\b') answer = this.#erased(answer, 1, hidden);
          else if (char === '\x15') answer = this.#erased(answer, answer.length, hidden);
          else if (char >= ' ') {
            answer += char;
            if (!hidden) err.write(char);
          }
        }
        if (this.#ended || this.#signal.aborted) throw interrupted();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      err.write('\n');
    }
  }

  [Symbol.dispose](): void {
    const { input } = this.#world;
    input.off('data', this.#take).off('end', this.#end);
    this.#signal.removeEventListener('abort', this.#end);
    input.setRawMode?.(false);
    // Or it would keep the process alive.
    input.pause();
  }

  readonly #take = (piece: Buffer | string) => {
    // A character may come in two pieces.
    this.#typed += typeof piece === 'string' ? piece : this.#decoder.write(piece);
    this.#wake();
  };

  readonly #end = () => {
    this.#ended = true;
    this.#wake();
  };

  /** What was typed, each character taken as it is looked at. */
  *#next(): Generator<string> {
    const [first = '', ...keys] = this.#typed.split(ESC);
    this.#typed = first + keys.map((key) => key.replace(KEY, '')).join('');
    for (;;) {
      const [char] = this.#typed;
      if (char === undefined) return;
      this.#typed = this.#typed.slice(char.length);
      yield char;
    }
  }

  #erased(answer: string, count: number, hidden: boolean): string {
    const chars = [...answer];
    const kept = chars.slice(0, Math.max(0, chars.length - count));
    if (!hidden) this.#world.err.write('\b \b'.repeat(chars.length - kept.length));
    return kept.join('');
  }
}

function interrupted(): EndedEarly {
  return new EndedEarly(EXIT.interrupted, 'interrupted: nothing was changed');
}
