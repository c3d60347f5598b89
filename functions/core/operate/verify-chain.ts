import type { BatchFacts } from '../batch-facts.ts';
import type { Archive, CursorRow, Gap } from '../ports.ts';
import { batchesOf, sequencesOfDays } from './batches.ts';
import type { Finding } from './findings.ts';
import { tokenTime } from './token-time.ts';

/** Where a token is met. */
interface Place {
  readonly sequence: number;
  readonly what: 'beginning' | 'end';
}

/** Follows the tokens from batch to batch: where one ends the next begins, save where something tells why not. */
export class TokenChain {
  readonly #row: CursorRow;
  readonly #archive: Pick<Archive, 'head'>;
  readonly #signal: AbortSignal;
  readonly #told = new Set<string>();
  #places: Promise<ReadonlyMap<string, readonly Place[]>> | undefined;

  constructor(row: CursorRow, archive: Pick<Archive, 'head'>, signal: AbortSignal) {
    this.#row = row;
    this.#archive = archive;
    this.#signal = signal;
  }

  /** What is to be said of a batch behind the one before it (absent where that one is missing or pruned). */
  async link(
    previous: BatchFacts | undefined,
    facts: BatchFacts,
    sequence: number,
    key: string,
  ): Promise<readonly Finding[]> {
    const gap = facts.gap === undefined ? [] : await this.#gap(facts.gap, sequence);
    const broken =
      previous === undefined || facts.gap ? undefined : await this.#broken(previous, facts, sequence);
    return [...gap, ...(broken === undefined ? [] : [{ ...broken, sequence, key }])];
  }

  /** The gaps in a window (epoch ms) that only the row has: no batch followed them at once. */
  async rowGaps(from: number, to: number): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    for (const gap of this.#row.gaps) {
      // A missing object is found by its number.
      if (gap.reason === 'object-missing' || gap.to < from || gap.from > to) continue;
      findings.push(...(await this.#gap(gap, 0)));
    }
    return findings;
  }

  async #gap(gap: Gap, sequence: number): Promise<readonly Finding[]> {
    const name = gap.token ?? JSON.stringify([gap.from, gap.reason]);
    if (gap.to <= gap.from || this.#told.has(name)) return [];
    this.#told.add(name);
    const said = `events from ${iso(gap.from)} to ${iso(gap.to)} could not be read (${gap.reason})`;
    const at = sequence > 0 ? { sequence } : {};
    if (await this.#isFilled(gap, sequence))
      return [{ kind: 'gap', severity: 'note', ...at, message: `${said}, and were read later` }];
    const cure = `rewind to before it while the provider has them (90 days)`;
    return [{ kind: 'gap', severity: 'hole', ...at, message: `${said}: ${cure}` }];
  }

  /** Whether reading was begun again, later, at a place before the gap. */
  async #isFilled({ token, to }: Gap, sequence: number): Promise<boolean> {
    const range = { first: sequence + 1, last: this.#row.sequence };
    let end: string | undefined;
    for await (const batch of batchesOf(this.#row, this.#archive, range, this.#signal)) {
      const { facts } = batch;
      if (facts === undefined) continue;
      if (token !== undefined && facts.start === token && facts.gap?.token !== token) return true;
      const jumps = end !== undefined && facts.start !== undefined && facts.start !== end;
      end = facts.end;
      if (!jumps || facts.start === undefined || (facts.first ?? to) >= to) continue;
      if ((await this.#earlier(facts.start, batch.sequence)) !== undefined) return true;
    }
    return false;
  }

  async #broken(
    previous: BatchFacts,
    { start }: BatchFacts,
    sequence: number,
  ): Promise<Pick<Finding, 'kind' | 'severity' | 'message'> | undefined> {
    const { end } = previous;
    if (start === end || this.#row.gaps.some(({ token }) => token !== undefined && token === end))
      return undefined;
    const behind = `batch ${sequence} begins at another place of the log than batch ${sequence - 1} ended`;
    const earlier = start === undefined ? undefined : await this.#earlier(start, sequence);
    if (earlier !== undefined) {
      const message = `${behind}, at one that was read before (${earlier}): an operator set the cursor back, and nothing is missing`;
      return { kind: 'rewound', severity: 'note', message };
    }
    const [endedAt, startsAt] = [end, start].map((token) => token && tokenTime(token));
    if (typeof endedAt === 'number' && typeof startsAt === 'number' && startsAt > endedAt) {
      const message = `${behind}, at a later one: empty pages moved the cursor`;
      return { kind: 'chain', severity: 'note', message };
    }
    const message = `${behind}, and nothing tells why: empty pages may have moved the cursor, or somebody changed it. Compare with the provider (--against-provider)`;
    return { kind: 'chain', severity: 'doubt', message };
  }

  /** Where a token was met before. */
  async #earlier(start: string, before: number): Promise<string | undefined> {
    if (this.#row.gaps.some(({ token }) => token === start)) return 'the beginning of a recorded gap';
    this.#places ??= this.#lookUp();
    const place = (await this.#places).get(start)?.findLast(({ sequence }) => sequence < before);
    return place && `the ${place.what} of batch ${place.sequence}`;
  }

  /** Every token of the days that the row keeps: looked up once, however many links are broken. */
  async #lookUp(): Promise<ReadonlyMap<string, readonly Place[]>> {
    const places = new Map<string, Place[]>();
    const add = (token: string | undefined, place: Place) => {
      if (token === undefined) return;
      const known = places.get(token);
      if (known === undefined) places.set(token, [place]);
      else known.push(place);
    };
    const range = sequencesOfDays(this.#row, '');
    for await (const { sequence, facts } of batchesOf(this.#row, this.#archive, range, this.#signal)) {
      add(facts?.end, { sequence, what: 'end' });
      add(facts?.start, { sequence, what: 'beginning' });
    }
    return places;
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
