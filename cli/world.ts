import type { Readable, Writable } from 'node:stream';
import { type StopSignals, stopSignals } from './stop-signals.ts';

/** Where text goes: a terminal, a pipe, a file. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where answers and documents come from. */
export type Input = Readable & {
  readonly isTTY?: boolean;
  /** Of a terminal: keys come one by one, and it shows none of them. */
  setRawMode?(raw: boolean): unknown;
};

/** What a command has of the process it runs in. Tests hand in their own. */
export interface World {
  /** What it was called with, its own name left out. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: Screen;
  readonly err: Screen;
  readonly input: Input;
  /** Begins to listen for the wish to stop; ends with its disposal. */
  stopSignals(): StopSignals;
}

/** This process. Its standard input is opened by the first use, since an open one would keep the process alive. */
export function processWorld(): World {
  return {
    args: process.argv.slice(2),
    env: process.env,
    out: process.stdout,
    err: process.stderr,
    get input() {
      return process.stdin;
    },
    stopSignals,
  };
}

/** How wide a screen is; undefined where it is no terminal, so that nothing needs to be cut. */
export function columnsOf(screen: Screen): number | undefined {
  // A terminal that does not know its width says 0.
  return screen.isTTY ? screen.columns || 80 : undefined;
}
