import type { Health } from '../../../../functions/core/operate/health.ts';
import type { History } from '../../../../functions/core/operate/history.ts';
import type {
  Count,
  DestinationStatus,
  StreamStatus,
  SystemStatus,
} from '../../../../functions/core/operate/status.ts';
import { count, duration, some } from '../../../format.ts';
import { MARKS } from '../marks.ts';
import { utc } from '../time.ts';
import { Html, html } from './html.ts';
import { historyPlots } from './plots.ts';
import { STYLE } from './style.ts';

export interface PageContent {
  readonly title: string;
  readonly status: SystemStatus;
  /** Of the cursors that have ever run. */
  readonly histories: readonly History[];
  /** How far they go back. */
  readonly days: number;
  /** Behind commands: the options that name the same system. */
  readonly same: string;
}

/** The status as one page that needs nothing but itself: no script, no network. */
export function statusPage({ title, status, histories, days, same }: PageContent): string {
  const { at, streams, destinations } = status;
  const historyOf = ({ org, stream }: StreamStatus) =>
    histories.find((history) => history.org === org && history.stream === stream);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>orglog: ${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="dim">As it stood at <time datetime="${new Date(at).toISOString()}">${utc(at)}</time>; plots of ${some(days, 'day')}, in UTC.</p>
</header>
<main>
<section>
<h2>Organizations</h2>
${streams.map((stream) => streamCard(stream, historyOf(stream), at, same))}</section>
<section>
<h2>Destinations</h2>
${destinations.map((destination) => destinationCard(destination, same))}</section>
</main>
</body>
</html>
`;
  return page.text;
}

function streamCard(
  { org, stream, health, row }: StreamStatus,
  history: History | undefined,
  at: number,
  same: string,
): Html {
  const ago = (time: number | undefined) => (time === undefined ? 'never' : `${duration(at - time)} ago`);
  const name = stream === 'logs' ? org : `${org} ${stream}`;
  const facts: readonly (readonly [string, string])[] =
    row === undefined
      ? []
      : [
          ['provider answered', ago(row.lastReadAt)],
          ['newest event', ago(row.newestEventAt)],
          ['token issued', row.tokenAt === undefined ? 'unknown' : ago(row.tokenAt)],
          ['events, last hour', counted(row.lastHour)],
          ['events, last day', counted(row.lastDay)],
          ['batches', count(row.sequence)],
          ['owed', owed(row.owed)],
          ['lease', lease(row.lease, at)],
          ['paused', row.paused ? 'yes' : 'no'],
        ];
  return html`<article class="card">
${heading(name, health, same)}
${factList(facts)}
${history === undefined ? html`` : historyPlots(history)}
${history !== undefined && history.unknown > 0 ? html`<p class="dim">${some(history.unknown, 'batch', 'batches')} could not be counted: objects are gone, or not orglog’s.</p>` : html``}
${gapTable(row?.gaps ?? [])}</article>
`;
}

function destinationCard({ destination, health, queue, rejected }: DestinationStatus, same: string): Html {
  const { id, kind, delivery } = destination;
  const age = queue?.oldestAgeSeconds;
  const facts: readonly (readonly [string, string])[] =
    queue === undefined
      ? []
      : [
          ['waiting', count(queue.visible)],
          ['in flight', count(queue.inFlight)],
          ['oldest', age === undefined ? '–' : duration(age * 1_000)],
          ['gave up on', count(queue.dead)],
          ...(delivery === 'push' && rejected ? [['refused for good', counted(rejected)] as const] : []),
        ];
  return html`<article class="card">
${heading(`${id} (${kind}, ${delivery})`, health, same)}
${factList(facts)}</article>
`;
}

function heading(name: string, { verdict, reason, command }: Health, same: string): Html {
  const advice = command === undefined ? html`` : html`<pre><code>${command}${same}</code></pre>`;
  return html`<div class="head"><h3>${name}</h3><span class="verdict ${verdict}">${MARKS[verdict]} ${verdict}</span><span>${reason}</span></div>${advice}`;
}

function factList(facts: readonly (readonly [string, string])[]): Html {
  if (facts.length === 0) return html``;
  return html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function gapTable(gaps: NonNullable<StreamStatus['row']>['gaps']): Html {
  if (gaps.length === 0) return html``;
  const rows = gaps.map(
    ({ from, to, reason, canRewind }, index) =>
      html`<tr><td>${utc(from)}</td><td>${utc(to)}</td><td>${reason}</td><td>${canRewind ? `gap:${index + 1}` : '–'}</td></tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th>gap from</th><th>to</th><th>why</th><th>rewind --to</th></tr></thead><tbody>${rows.toReversed()}</tbody></table></div>`;
}

function counted({ count: found, atLeast }: Count): string {
  return `${atLeast ? 'at least ' : ''}${count(found)}`;
}

function owed(batches: Readonly<Record<string, number>>): string {
  const owing = Object.entries(batches).filter(([, number]) => number > 0);
  return owing.length === 0 ? 'nothing' : owing.map(([id, number]) => `${count(number)} to ${id}`).join(', ');
}

function lease(held: NonNullable<StreamStatus['row']>['lease'], at: number): string {
  if (held === undefined) return 'free';
  return held.expired ? 'left by a run that died' : `held for ${duration(held.expiresAt - at)} at most`;
}
