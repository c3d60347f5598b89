import { Readable, Writable } from 'node:stream';
import { orglog } from '../../cli/program.ts';
import type { Input, Screen, World } from '../../cli/world.ts';
import type { Ended } from './orglog.ts';

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard output and error are a terminal this wide; without it, pipes. */
  readonly columns?: number;
  /** Standard output goes into a pipe all the same. */
  readonly pipedOut?: boolean;
  /** What is typed on the terminal, or comes through the pipe on standard input; then it ends. */
  readonly input?: string | Promise<string>;
  /** The terminal's keys in its place: typist.ts. */
  readonly keys?: Input;
  /** Fires as Ctrl-C would. */
  readonly stop?: AbortSignal;
  /** Told each piece of what is printed. */
  readonly onPrinted?: (piece: string, stream: 'stdout' | 'stderr') => void;
}

/** The real command, in this process: as fast as a call. */
export async function orglogHere(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { env = {}, columns, pipedOut = false, input = '', keys, stop, onPrinted } = surroundings;
  const printed = { stdout: '', stderr: '' };
  const screen = (name: 'stdout' | 'stderr'): Screen => {
    const writable = new Writable({
      decodeStrings: false,
      write(piece: string, _encoding, done) {
        printed[name] += piece;
        onPrinted?.(piece, name);
        done();
      },
    });
    const isPipe = columns === undefined || (name === 'stdout' && pipedOut);
    return isPipe ? writable : Object.assign(writable, { isTTY: true, columns });
  };
  const err = screen('stderr');
  // Begins with the first read, and a terminal shows what is typed on it.
  const typed = Readable.from(
    typing(input, (text) => {
      if (columns !== undefined) err.write(text);
    }),
  );
  const world: World = {
    args,
    env,
    out: screen('stdout'),
    err,
    input: keys ?? Object.assign(typed, { isTTY: columns !== undefined }),
    stopSignals: () => ({ signal: stop ?? new AbortController().signal, [Symbol.dispose]() {} }),
  };
  const outcome = await orglog(world);
  return { outcome, ...printed };
}

async function* typing(
  input: string | Promise<string>,
  echo: (text: string) => void,
): AsyncGenerator<string> {
  const text = await input;
  echo(text);
  if (text !== '') yield text;
}
