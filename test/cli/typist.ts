import { Readable } from 'node:stream';
import type { Surroundings } from './in-process.ts';

/** Somebody at a terminal, who answers each question once it is asked. */
export interface Typist extends Required<Pick<Surroundings, 'keys' | 'onPrinted'>> {
  /** Answers that the terminal showed as they were typed, because nothing kept it from it. */
  readonly shown: readonly string[];
}

/** @param answers what is typed after each question, in their order; a question is what ends in this text */
export function typist(answers: readonly (readonly [question: string, keys: string])[]): Typist {
  const left = [...answers];
  const shown: string[] = [];
  let raw = false;
  let printed = '';
  const readable = new Readable({ read() {} });
  const keys = Object.assign(readable, {
    isTTY: true,
    setRawMode(on: boolean) {
      raw = on;
    },
  });
  return {
    keys,
    shown,
    onPrinted(piece, stream) {
      if (stream === 'stderr') printed += piece;
      const [next] = left;
      if (next === undefined || !printed.endsWith(next[0])) return;
      left.shift();
      printed = '';
      if (!raw) shown.push(next[1]);
      readable.push(next[1]);
    },
  };
}
