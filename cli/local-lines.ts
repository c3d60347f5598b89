import type { Progress } from '../local/progress.ts';
import { count, duration, size, some, timeOfDay } from './format.ts';
import type { Heading, LocalDisplay } from './local-display.ts';

/** While more comes in all the time, a line this often will do. */
const BUSY_LINE_MS = 10_000;

export interface LineOutput {
  readonly out: (line: string) => void;
  readonly problem: (line: string) => void;
  readonly now: () => number;
}

/** Plain lines for pipes and files: one when something arrived and is done with, one for each new trouble. */
export function plainLines(heading: Heading, { out, problem, now }: LineOutput): LocalDisplay {
  if (!heading.once) out(`orglog: ${heading.org} from ${heading.from} into ${heading.folder}; Ctrl-C stops`);
  let told: Progress | undefined;
  let toldAt = now();
  let trouble: string | undefined;
  return {
    show(progress) {
      if (progress.trouble !== trouble) {
        trouble = progress.trouble;
        if (trouble !== undefined && !heading.once) problem(`${timeOfDay(now())} ${trouble}`);
      }
      if (progress.batches === (told?.batches ?? 0)) {
        told = progress;
        return;
      }
      const settled = progress.queued === 0 && progress.siemLines !== told?.siemLines && !heading.once;
      if (!settled && now() - toldAt < BUSY_LINE_MS) return;
      told = progress;
      toldAt = now();
      out(`${timeOfDay(toldAt)} ${inWords(progress, toldAt)}`);
    },
    close() {},
  };
}

function inWords(progress: Progress, now: number): string {
  const { pages, events, batches, storedBytes, queued, siemLines, newestEventAt, gaps } = progress;
  return [
    `${some(events, 'event')} in ${some(pages, 'page')} and ${some(batches, 'batch', 'batches')} (${size(storedBytes)} stored)`,
    `queue ${count(queued)}`,
    `siem ${count(siemLines)}`,
    ...(newestEventAt === undefined ? [] : [`lag ${duration(now - newestEventAt)}`]),
    ...(gaps === 0 ? [] : [some(gaps, 'gap')]),
  ].join(', ');
}
