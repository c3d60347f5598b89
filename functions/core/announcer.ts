import { type BatchFacts, fromMetadata } from './batch-facts.ts';
import { asOrglogError, foreignObject, OrglogError } from './errors.ts';
import { objectKey } from './keys.ts';
import { notification } from './notification.ts';
import type { CursorRow, Gap, StoredObject } from './ports.ts';
import type { RunEvent, RunPorts } from './run.ts';

/** HEADs and sends per destination and run that catch up on what predecessors owed. */
const OWED_PER_RUN = 200;

interface Announceable extends StoredObject {
  readonly key: string;
  readonly eventTime: number;
}

/** What announcing takes of a run's ports. */
export interface AnnouncerPorts extends Pick<RunPorts, 'archive' | 'outboxes' | 'clock'> {
  readonly observe: (event: Extract<RunEvent, { kind: 'announced' | 'announce-failed' | 'gap' }>) => void;
}

/** What announcing counts. */
export interface AnnouncerTally {
  announced: number;
  countGap(gap: Gap): void;
}

/**
 * Tells each destination of each committed batch, in order, at least once. What a destination was told is a high-water
 * mark per destination, so one that is behind hears the older batches first; its trouble never holds up another.
 */
export class Announcer {
  /** Destination → last sequence queued to it: recorded by the row's next write. */
  readonly announced: Record<string, number>;
  /** Batches that can never be announced, because their objects are gone. */
  readonly gaps: Gap[] = [];
  private readonly ports: AnnouncerPorts;
  private readonly tally: AnnouncerTally;
  private readonly signal: AbortSignal;
  private readonly refusing = new Set<string>();
  private readonly allowance: Record<string, number>;

  /** A new destination starts at the current sequence; one that is gone is dropped. */
  constructor(row: CursorRow, ports: AnnouncerPorts, tally: AnnouncerTally, signal: AbortSignal) {
    this.ports = ports;
    this.tally = tally;
    this.signal = signal;
    const destinations = [...ports.outboxes.keys()];
    // By entries: a destination may be called as a member that every object has.
    const recorded = new Map(Object.entries(row.announced));
    this.announced = Object.fromEntries(destinations.map((id) => [id, recorded.get(id) ?? row.sequence]));
    this.allowance = Object.fromEntries(destinations.map((id) => [id, OWED_PER_RUN]));
  }

  /**
   * Bring every destination up to the row's sequence, as far as this run's share of owed batches goes.
   *
   * @param latest the batch at the row's sequence where it was just committed: announced without a HEAD
   */
  async catchUp(row: CursorRow, latest?: { facts: BatchFacts; stored: StoredObject }): Promise<void> {
    await Promise.all([...this.ports.outboxes.keys()].map((id) => this.catchUpOne(id, row, latest)));
  }

  private async catchUpOne(
    destination: string,
    row: CursorRow,
    latest?: { facts: BatchFacts; stored: StoredObject },
  ): Promise<void> {
    for (;;) {
      const sequence = (this.announced[destination] ?? row.sequence) + 1;
      if (sequence > row.sequence || this.refusing.has(destination)) return;
      try {
        const key = objectKey(row, sequence);
        const isLatest = latest !== undefined && sequence === row.sequence;
        if (!isLatest && this.spent(destination)) return;
        const object =
          isLatest && key !== undefined
            ? { key, eventTime: latest.facts.eventTime, ...latest.stored }
            : await this.lookUp(key);
        if (object === undefined) this.countMissing(row, sequence, key);
        else {
          const { bucket, region } = this.ports.archive;
          const message = notification({ bucket, region, ...object });
          await this.ports.outboxes.get(destination)?.send(message, this.signal);
          this.tally.announced++;
          this.ports.observe({ kind: 'announced', destination, sequence });
        }
        this.announced[destination] = sequence;
      } catch (error) {
        this.refusing.add(destination);
        const reason = asOrglogError(error, 'storage').message;
        this.ports.observe({ kind: 'announce-failed', destination, sequence, reason });
        return;
      }
    }
  }

  /** An error when committed objects were gone before they could be announced. */
  missingObjects(): OrglogError | undefined {
    if (this.gaps.length === 0) return undefined;
    const names = this.gaps.map((gap) => gap.token).join(', ');
    return new OrglogError(
      'storage',
      `committed but gone from the archive before every destination had heard of them: ${names}. They were passed over and recorded as gaps; bring them back from the bucket's versions and replay them`,
    );
  }

  private spent(destination: string): boolean {
    const left = this.allowance[destination] ?? 0;
    this.allowance[destination] = left - 1;
    return left <= 0;
  }

  private async lookUp(key: string | undefined): Promise<Announceable | undefined> {
    const head = key === undefined ? undefined : await this.ports.archive.head(key, this.signal);
    if (key === undefined || head === undefined) return undefined;
    const facts = fromMetadata(head.metadata);
    if (facts === undefined) throw foreignObject(key);
    return { key, eventTime: facts.eventTime, etag: head.etag, size: head.size };
  }

  /** The archive's expiry, or a hand, took the object before it was announced: said once, then passed over. */
  private countMissing(row: CursorRow, sequence: number, key: string | undefined): void {
    const name = key ?? `sequence ${sequence}`;
    if (this.gaps.some((gap) => gap.token === name)) return;
    const at = row.newestEventAt ?? this.ports.clock.now();
    const gap: Gap = { from: at, to: at, reason: 'object-missing', token: name };
    this.gaps.push(gap);
    this.tally.countGap(gap);
    this.ports.observe({ kind: 'gap', gap: { from: gap.from, to: gap.to, reason: gap.reason } });
  }
}
