import type { History } from '../../../../functions/core/operate/history.ts';
import { count, duration } from '../../../format.ts';
import { utc } from '../time.ts';
import { type Html, html } from './html.ts';

const HOUR_MS = 3_600_000;
/** Of the drawing; it is stretched to the page's width, so that labels stand beside it, in their own size. */
const HEIGHT = 100;

interface Plot {
  readonly title: string;
  /** What it shows, for whoever cannot see it. */
  readonly summary: string;
  /** What its highest point stands for. */
  readonly highest: string;
  readonly shapes: readonly Html[];
  /** Class of the drawing. */
  readonly kind: 'plot' | 'strip';
}

/** Events per hour, lag and gaps of one cursor's past. */
export function historyPlots(history: History): Html {
  const { hours } = history;
  if (hours.length === 0) return html``;
  const axis = axisOf(history);
  return html`<div class="plots">${[eventsPlot(history), lagPlot(history), gapsPlot(history)].map((plot) =>
    figure(plot, history, axis),
  )}</div>`;
}

function figure({ title, summary, highest, shapes, kind }: Plot, { hours }: History, axis: Html): Html {
  return html`<figure>
<figcaption><span>${title}</span><span class="highest">${highest}</span></figcaption>
<svg class="${kind}" viewBox="0 0 ${hours.length} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}">${shapes}</svg>
${axis}</figure>
`;
}

function eventsPlot(history: History): Plot {
  const { hours } = history;
  const highest = Math.max(...hours.map(({ events }) => events));
  const total = hours.reduce((sum, { events }) => sum + events, 0);
  const bars = hours.map(({ at, events }, x) => {
    const height = highest === 0 ? 0 : (events / highest) * HEIGHT;
    return html`<rect class="bar" x="${x + 0.1}" y="${fixed(HEIGHT - height)}" width="0.8" height="${fixed(height)}"/><rect class="hit" x="${x}" y="0" width="1" height="${HEIGHT}"><title>${utc(at)}: ${count(events)} events</title></rect>`;
  });
  return {
    title: 'Events per hour',
    summary: `Events per hour: ${count(total)} in all, at most ${count(highest)} in an hour`,
    highest: `at most ${count(highest)}`,
    shapes: [...bands(history), ...bars],
    kind: 'plot',
  };
}

function lagPlot(history: History): Plot {
  const { hours } = history;
  const lags = hours.flatMap(({ lagMs }) => (lagMs === undefined ? [] : [lagMs]));
  const highest = Math.max(0, ...lags);
  const told = lags.length === 0 ? 'no batches' : `at most ${duration(highest)}`;
  const bars = hours.flatMap(({ at, lagMs }, x) => {
    if (lagMs === undefined) return [];
    // An hour without any lag is not one without a batch.
    const height = highest === 0 ? 1 : Math.max(1, (lagMs / highest) * HEIGHT);
    return [
      html`<rect class="lag" x="${x}" y="${fixed(HEIGHT - height)}" width="1" height="${fixed(height)}"><title>${utc(at)}: ${duration(lagMs)}</title></rect>`,
    ];
  });
  return {
    title: 'Lag',
    summary: `Lag, from a batch's newest event until it was archived, the longest of each hour: ${told}`,
    highest: told,
    shapes: [...bands(history), ...bars],
    kind: 'plot',
  };
}

function gapsPlot(history: History): Plot {
  const { gaps } = history;
  const told = gaps.length === 0 ? 'none' : count(gaps.length);
  return { title: 'Gaps', summary: `Gaps: ${told}`, highest: told, shapes: bands(history), kind: 'strip' };
}

/** Where events are missing, behind whatever is drawn. */
function bands({ hours, gaps }: History): Html[] {
  const start = hours[0]?.at ?? 0;
  return gaps.map(({ from, to, reason }) => {
    const first = Math.max(0, (from - start) / HOUR_MS);
    const last = Math.min(hours.length, (to - start) / HOUR_MS);
    // However short, it can be seen.
    const width = Math.max(last - first, hours.length / 300);
    return html`<rect class="gap" x="${fixed(Math.min(first, hours.length - width))}" y="0" width="${fixed(width)}" height="${HEIGHT}"><title>${utc(from)} to ${utc(to)}: ${reason}</title></rect>`;
  });
}

/** Where the plots begin, their middle, and where they end. */
function axisOf({ hours }: History): Html {
  const start = hours[0]?.at ?? 0;
  const marks = [0, hours.length / 2, hours.length].map((x) => start + x * HOUR_MS);
  const labels = marks.map(
    (at) => html`<span>${new Date(at).toISOString().slice(5, 16).replace('T', ' ')}</span>`,
  );
  return html`<div class="axis" aria-hidden="true">${labels}</div>`;
}

function fixed(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}
