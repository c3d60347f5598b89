import type { Progress } from '../local/progress.ts';
import type { PushStanding } from '../local/push.ts';
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
  const { org, from, folder, once, sinks } = heading;
  if (!once) out(`orglog: ${org} from ${from} into ${[folder, ...sinks].join(', ')}; Ctrl-C stops`);
  let told: Progress | undefined;
  let toldAt = now();
  const troubles = new Map<string, string | undefined>();
  const tell = (whose: string, trouble: string | undefined) => {
    if (trouble !== undefined && trouble !== troubles.get(whose) && !once) {
      problem(`${timeOfDay(now())} ${trouble}`);
    }
    troubles.set(whose, trouble);
  };
  return {
    show(progress) {
      tell('', progress.trouble);
      for (const { name, trouble } of progress.pushes) tell(name, trouble);
      const pushed = pushedIn(progress) !== pushedIn(told);
      if (progress.batches === (told?.batches ?? 0) && !pushed) {
        told = progress;
        return;
      }
      const arrived = progress.siemLines !== told?.siemLines || pushed;
      const waits = progress.queued > 0 || progress.pushes.some(({ waiting }) => waiting > 0);
      const settled = !waits && arrived && !once;
      if (!settled && now() - toldAt < BUSY_LINE_MS) return;
      told = progress;
      toldAt = now();
      out(`${timeOfDay(toldAt)} ${inWords(progress, toldAt)}`);
    },
    close() {},
  };
}

function inWords(progress: Progress, now: number): string {
  const { pages, events, batches, storedBytes, queued, siemLines, pushes, newestEventAt, gaps, identities } =
    progress;
  return [
    `${some(events, 'event')} in ${some(pages, 'page')} and ${some(batches, 'batch', 'batches')} (${size(storedBytes)} stored)`,
    `queue ${count(queued)}`,
    `siem ${count(siemLines)}`,
    ...pushes.map(pushInWords),
    ...(newestEventAt === undefined ? [] : [`lag ${duration(now - newestEventAt)}`]),
    ...(gaps === 0 ? [] : [some(gaps, 'gap')]),
    ...(identities === undefined ? [] : [`identities ${identities}`]),
  ].join(', ');
}

/** `splunk 1,233 (1 rejected, 2 batches queued)` */
function pushInWords({ name, delivered, rejected, waiting, dead }: PushStanding): string {
  const more = [
    ...(rejected === 0 ? [] : [`${count(rejected)} rejected`]),
    ...(waiting === 0 ? [] : [`${some(waiting, 'batch', 'batches')} queued`]),
    ...(dead === 0 ? [] : [`${some(dead, 'batch', 'batches')} set aside`]),
  ];
  return `${name} ${count(delivered)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

/** How many events the sinks are done with, all together. */
function pushedIn(progress: Progress | undefined): number {
  return (progress?.pushes ?? []).reduce((sum, { delivered, rejected }) => sum + delivered + rejected, 0);
}
