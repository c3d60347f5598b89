import { OrglogError } from '../errors.ts';
import type { Settlement } from '../settlement.ts';
import { type Bounds, OBJECTS_AT_ONCE } from './bounds.ts';
import { pagesBackwards } from './page-reader.ts';
import { inParallel } from './parallel.ts';
import type { Plan } from './plan.ts';
import type { SyncPorts, SyncSettings } from './ports.ts';
import { type Position, toToken } from './position.ts';
import { redactor } from './redaction.ts';
import type { SyncTally } from './sync-tally.ts';
import type { WalkKeys } from './walk-keys.ts';
import type { WalkStore } from './walk-store.ts';
import { Window } from './window.ts';

type Reading = Extract<Position, { phase: 'read' }>;

export interface WalkReadingParts {
  readonly ports: Pick<SyncPorts, 'source' | 'pseudonym' | 'clock' | 'observe'>;
  readonly settings: Pick<SyncSettings, 'baseUrl'>;
  readonly bounds: Bounds;
  readonly settlement: Settlement;
  readonly store: WalkStore;
  readonly keys: WalkKeys;
  readonly plan: Plan;
  readonly tally: SyncTally;
  /** Ends reading: what is buffered is put all the same. */
  readonly stop: AbortSignal;
  /** Throws where the credential is another organization's. */
  readonly demandOwner: () => Promise<void>;
  readonly onAnswer: () => void;
}

/**
 * Read a plan's lists from a position on, and put them as parts, a window at a time: reading goes on while one window is
 * being put, so there are never more than two. Progress is kept whatever ends the reading.
 */
export class WalkReading {
  private readonly parts: WalkReadingParts;
  private position: Reading;
  private putting: Promise<void> = Promise.resolve();

  constructor(position: Reading, parts: WalkReadingParts) {
    this.position = position;
    this.parts = parts;
  }

  /** `read`: the lists are read, and the row stands at the merge. */
  async read(): Promise<'read' | 'stopped'> {
    const { ports, plan, bounds, stop, tally } = this.parts;
    const redact = redactor(plan.redaction.names, ports.pseudonym);
    let window = new Window(plan, redact);
    let trouble: { readonly error: unknown } | undefined;
    try {
      await this.parts.demandOwner();
      for await (const page of pagesBackwards(ports.source, plan, this.position.next, stop)) {
        tally.pages++;
        this.parts.onAnswer();
        ports.observe({ kind: 'page', items: page.items.length, page: page.page, of: page.of });
        window.take(page);
        const { windowPages, windowCharacters } = bounds;
        if (window.pages < windowPages && window.characters < windowCharacters) continue;
        await this.putNext(window);
        window = new Window(plan, redact);
      }
    } catch (error) {
      trouble = { error };
    }
    await this.putting;
    if (window.pages > 0) await this.put(window);
    if (trouble === undefined) return 'read';
    if (stop.aborted) return 'stopped';
    throw trouble.error;
  }

  /** Waits for the window before; this one is put while reading goes on. */
  private async putNext(window: Window): Promise<void> {
    await this.putting;
    this.putting = this.put(window);
    // Whoever waits for it hears of its failure.
    this.putting.catch(() => {});
  }

  /**
   * Put a window's parts, then move the row past its pages. A part that exists is one that a dead run had put under this
   * flush's number, from other pages perhaps: then the window takes the next number. What lies under the old one is as
   * true, and the merge reads it too.
   */
  private async put(window: Window): Promise<void> {
    const { store, keys, settlement } = this.parts;
    let flush = this.position.flushes;
    const putAll = () =>
      inParallel(window.parts, OBJECTS_AT_ONCE, ([partition, lines]) =>
        store.putLines(keys.part(partition, flush), lines),
      );
    while ((await putAll()).includes('exists')) flush++;
    const { next } = window;
    const { walk, last } = this.position;
    const underWay = { walk, ...(last && { last }), flushes: flush + 1 };
    if (next === undefined) {
      const merge: Position = { phase: 'merge', ...underWay, partition: 0, identities: 0 };
      await settlement.advance({ token: toToken(merge) });
      return;
    }
    const read: Reading = { phase: 'read', ...underWay, next };
    await settlement.advance({ token: toToken(read) });
    this.position = read;
  }
}

/** When a whole run went by without an answer. */
export function unanswered({ baseUrl }: Pick<SyncSettings, 'baseUrl'>): OrglogError {
  return new OrglogError(
    'time-out',
    `the provider at ${baseUrl} gave no page of identities in the time that a run has: check its status; the walk stays where it is`,
  );
}
