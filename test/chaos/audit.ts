import { verify } from '../../functions/core/operate/verify.ts';
import type { CursorRow } from '../../functions/core/ports.ts';
import { auditFeed } from './audit-feed.ts';
import type { Evidence, Excuse } from './evidence.ts';
import { type ArchivedLine, linesOf } from './lines-of.ts';
import type { Arrival } from './sinks.ts';

/** One line of the audit's table. */
export interface Finding {
  readonly what: string;
  /** How many there must be, and how many of those are there. */
  readonly expected: number;
  readonly found: number;
  /** Those that came more than once, beyond the first time; and how many of these nothing explains. */
  readonly repeats: number;
  readonly unexplained: number;
  /** What else is to be said. */
  readonly notes: readonly string[];
  readonly isSound: boolean;
}

const endless = new AbortController().signal;
/** What a clock that was set makes an audit doubt: whether an object was written when it was collected. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['doubt: rewritten']);
const EVER = { from: '2000-01-01', to: '2100-01-01' };

/** Holds what a world has at its end against what happened in it. */
export async function audit(evidence: Evidence): Promise<Finding[]> {
  const { org, log, archive, cursors, arrivals, pulled, excuses, deadLetters } = evidence;
  const logs = await rowOf(cursors, org, 'logs');
  const feed = await rowOf(cursors, org, 'identities.prod');
  const archivedLog = await linesOf(archive, logs);
  const archivedFeed = await linesOf(archive, feed);
  const all = [...archivedLog, ...archivedFeed];
  const gaps = logs.gaps.map(
    ({ reason, from, to }) => `gap recorded (${reason}, ${Math.round((to - from) / 1000)} s)`,
  );
  return [
    comparedLines(
      'events of the log in the archive',
      log,
      archivedLog.map(({ line }) => line),
      gaps,
    ),
    comparedLines(
      'archived lines at the consumer that pulls',
      all.map(({ line }) => line),
      pulled,
    ),
    auditSink('archived lines in Splunk', all, arrivals.splunk, excuses),
    auditSink('archived lines in Elasticsearch', all, arrivals.elastic, excuses),
    await feedFinding(evidence, feed, archivedFeed),
    await verified(evidence, logs),
    await verified(evidence, feed),
    plain('dead letters', 0, deadLetters),
  ];
}

async function rowOf(cursors: Evidence['cursors'], org: string, stream: string): Promise<CursorRow> {
  const row = await cursors.read({ org, stream }, endless);
  if (row === undefined) throw new Error(`there is no row of ${stream}`);
  return row;
}

/** Both as multisets. */
export function comparedLines(
  what: string,
  expected: readonly string[],
  found: readonly string[],
  notes: readonly string[] = [],
): Finding {
  const left = new Map<string, number>();
  for (const line of expected) left.set(line, (left.get(line) ?? 0) + 1);
  let there = 0;
  for (const line of found) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    there++;
  }
  const repeats = found.length - there;
  const isSound = there === expected.length && repeats === 0;
  return { what, expected: expected.length, found: there, repeats, unexplained: repeats, notes, isSound };
}

/** Each identifier with its own line; again only where the sender could not know, or could not note, that it had come. */
export function auditSink(
  what: string,
  expected: readonly ArchivedLine[],
  arrivals: readonly Arrival[],
  excuses: readonly Excuse[],
): Finding {
  const lines = new Map(expected.map(({ eventId, line }) => [eventId, line]));
  const arrived = new Map<string, Arrival>();
  const reasons = new Map<string, number>();
  const foreign: string[] = [];
  let [repeats, unexplained] = [0, 0];
  for (const arrival of arrivals) {
    const { eventId, line } = arrival;
    if (lines.get(eventId) !== line) foreign.push(eventId);
    const before = arrived.get(eventId);
    arrived.set(eventId, arrival);
    if (before === undefined) continue;
    repeats++;
    const why = explained(before, arrival, excuses);
    if (why === undefined) unexplained++;
    else reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  const found = expected.filter(({ eventId }) => arrived.has(eventId)).length;
  const notes = [
    ...[...reasons].map(([why, count]) => `${count} again: ${why}`),
    ...(foreign.length > 0 ? [`${foreign.length} that are not archived so, such as ${foreign[0]}`] : []),
  ];
  const isSound = found === expected.length && unexplained === 0 && foreign.length === 0;
  return { what, expected: expected.length, found, repeats, unexplained, notes, isSound };
}

function explained(
  { request: first }: Arrival,
  { request: again }: Arrival,
  excuses: readonly Excuse[],
): string | undefined {
  if (first === undefined || again === undefined) return undefined;
  if (first.isDoubtful) return 'the answer was lost, or told of a part';
  const excuse = excuses.find(
    ({ fromMs, toMs }) => fromMs <= first.atMs && first.atMs <= toMs && again.atMs >= fromMs,
  );
  return excuse?.why;
}

async function feedFinding(
  { archive, identities }: Evidence,
  row: CursorRow,
  lines: readonly ArchivedLine[],
): Promise<Finding> {
  const texts = lines.map(({ line }) => line);
  const { walks, faults } = await auditFeed(archive, row, texts, identities);
  const what = 'identities, replayed from the feed';
  const count = identities.length;
  const sound = { expected: count, found: faults.length === 0 ? count : 0, repeats: 0, unexplained: 0 };
  return { what, ...sound, notes: [`${walks} walks`, ...faults], isSound: faults.length === 0 };
}

async function verified({ archive, cursors }: Evidence, row: CursorRow): Promise<Finding> {
  const ports = { archive, cursors } as Parameters<typeof verify>[0];
  const notes = new Map<string, number>();
  for await (const step of verify(ports, row, EVER, endless)) {
    if (step.kind === 'finding') {
      const { severity, kind } = step.finding;
      notes.set(`${severity}: ${kind}`, (notes.get(`${severity}: ${kind}`) ?? 0) + 1);
    }
    if (step.kind !== 'summary') continue;
    const { holes, verdict, first, last, objects } = step.summary;
    const counts = { expected: last - first + 1, found: objects, repeats: 0, unexplained: 0 };
    const told = [verdict, ...[...notes].map(([what, count]) => `${count} × ${what}`)];
    const others = [...notes.keys()].filter((note) => !BY_THE_CLOCK.has(note) && !note.startsWith('note'));
    const isSound = holes === 0 && objects === counts.expected && others.length === 0;
    return { what: `batches of ${row.stream}, verified`, ...counts, notes: told, isSound };
  }
  throw new Error('verify said nothing');
}

function plain(what: string, expected: number, found: number): Finding {
  return { what, expected, found, repeats: 0, unexplained: 0, notes: [], isSound: found === expected };
}
