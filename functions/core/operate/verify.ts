import type { BatchFacts } from '../batch-facts.ts';
import type { CursorRow, Day } from '../ports.ts';
import { mapAhead } from './ahead.ts';
import { batchAt } from './batches.ts';
import { type Finding, FindingTally, type Verdict } from './findings.ts';
import type { Deployment } from './ports.ts';
import { TokenChain } from './verify-chain.ts';
import { takeInventory } from './verify-listing.ts';
import { type ExaminedObject, examine } from './verify-object.ts';

export interface VerifySummary extends Verdict {
  readonly org: string;
  readonly stream: string;
  /** The batches that were audited; none where `first` is greater. */
  readonly first: number;
  readonly last: number;
  /** What was read of them. */
  readonly objects: number;
  readonly events: number;
  readonly bytes: number;
  readonly storedBytes: number;
  /** The verdict in one sentence: provably whole, or the holes by name. */
  readonly message: string;
}

export type VerifyStep =
  | { readonly kind: 'progress'; readonly checked: number; readonly of: number; readonly bytes: number }
  | { readonly kind: 'finding'; readonly finding: Finding }
  | { readonly kind: 'summary'; readonly summary: VerifySummary };

/** Objects read at once. */
const READS_AT_ONCE = 4;
const DAY_MS = 86_400_000;
/** Sequences that a sentence names. */
const NAMED = 10;

/**
 * Audit what was committed from one day to another (UTC, both included): every number is there, once, under the key
 * that the row computes; each object holds what its metadata says, to the byte; each begins where the one before it
 * ended; and nothing else lies there. Reads every object, in a stream. Of the identity feed the tokens are left out:
 * they are places in a walk.
 *
 * What it cannot see is a change that keeps counts and metadata and is as old as the object: for that, compare with the
 * provider (verify-provider.ts).
 *
 * @param row as `CursorStore.read` gave it: what is committed later is not audited
 */
export async function* verify(
  ports: Pick<Deployment, 'archive' | 'cursors'>,
  row: CursorRow,
  window: { readonly from: Day; readonly to: Day },
  signal: AbortSignal,
): AsyncGenerator<VerifyStep> {
  const { archive } = ports;
  const tally = new FindingTally();
  const missing: number[] = [];
  const { range, objects, findings } = await takeInventory(ports, row, window, signal);
  for (const finding of findings) yield tally.add(finding);

  const { first, last } = range;
  const of = Math.max(0, last - first + 1);
  let [checked, read, events, bytes, storedBytes] = [0, 0, 0, 0, 0];
  const chain = new TokenChain(row, archive, signal);
  let previous: BatchFacts | undefined = (await batchAt(row, archive, first - 1, signal)).facts;
  const look = async (sequence: number): Promise<{ sequence: number; examined?: ExaminedObject }> => {
    const object = objects.get(sequence);
    if (object === undefined) return { sequence };
    return { sequence, examined: await examine(archive, object, sequence, signal) };
  };
  const sequences = Array.from({ length: of }, (_, index) => first + index);
  for await (const { sequence, examined } of mapAhead(sequences, READS_AT_ONCE, look)) {
    checked++;
    if (examined === undefined) {
      missing.push(sequence);
      yield tally.add(await missingObject(row, sequence, archive, signal));
    } else {
      const { object, facts } = examined;
      for (const finding of examined.findings) yield tally.add(finding);
      const linked = facts !== undefined && row.stream === 'logs';
      const links = linked ? await chain.link(previous, facts, sequence, object.key) : [];
      for (const finding of links) yield tally.add(finding);
      read++;
      events += examined.events;
      bytes += examined.bytes;
      storedBytes += object.size;
    }
    previous = examined?.facts;
    yield { kind: 'progress', checked, of, bytes };
  }
  const [from, to] = [Date.parse(window.from), Date.parse(window.to) + DAY_MS];
  for (const finding of await chain.rowGaps(from, to)) yield tally.add(finding);

  const { org, stream } = row;
  const counts = { first, last, objects: read, events, bytes, storedBytes };
  const { verdict } = tally;
  const message = sentence(`${stream} of ${org}`, counts, verdict, missing);
  yield { kind: 'summary', summary: { ...verdict, org, stream, ...counts, message } };
}

async function missingObject(
  row: CursorRow,
  sequence: number,
  archive: Pick<Deployment['archive'], 'head'>,
  signal: AbortSignal,
): Promise<Finding> {
  const { key } = await batchAt(row, archive, sequence, signal);
  const told = Object.entries(row.announced).filter(([, last]) => last >= sequence);
  const heard = told.length > 0 ? `announced to ${told.map(([id]) => id).join(', ')}` : 'not announced yet';
  const message = `batch ${sequence} was committed (${heard}), and its object is gone${key === undefined ? '' : ` (${key})`}: bring it back from the bucket's versions; or rewind to it, and its events get new identifiers`;
  return { kind: 'missing', severity: 'hole', sequence, ...(key !== undefined && { key }), message };
}

function sentence(
  what: string,
  { first, last, objects, events }: Pick<VerifySummary, 'first' | 'last' | 'objects' | 'events'>,
  { verdict, holes, doubts }: Verdict,
  missing: readonly number[],
): string {
  if (verdict === 'whole') {
    return first > last
      ? `${what}: nothing was committed in these days`
      : `${what} is provably whole: batches ${first} to ${last}, ${objects} objects, ${events} events`;
  }
  const names = missing.slice(0, NAMED).join(', ');
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const gone = missing.length > 0 ? `; gone: batch ${names}${more}` : '';
  return `${what} is not provably whole: ${some(holes, 'hole')}, ${some(doubts, 'doubt')}${gone}`;
}

function some(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
