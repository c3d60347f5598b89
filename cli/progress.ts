import { cutTo } from './text.ts';
import { columnsOf, type Screen } from './world.ts';

const FRAME_MS = 100;
const ERASE = '\r\x1b[K';

/** How long work goes on: one line, redrawn in place. */
export interface ProgressLine extends Disposable {
  show(text: string): void;
}

/** On a terminal; anywhere else nothing is shown. Disposal takes the line away. */
export function progressLine(screen: Screen, now: () => number = Date.now): ProgressLine {
  const columns = columnsOf(screen);
  if (columns === undefined) return { show() {}, [Symbol.dispose]() {} };
  let drawnAt: number | undefined;
  return {
    show(text) {
      if (drawnAt !== undefined && now() - drawnAt < FRAME_MS) return;
      drawnAt = now();
      screen.write(`${ERASE}${cutTo(text, columns - 1)}`);
    },
    [Symbol.dispose]() {
      if (drawnAt !== undefined) screen.write(ERASE);
    },
  };
}
