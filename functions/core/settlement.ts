import type { Announcer } from './announcer.ts';
import { type BatchFacts, fromMetadata, toMetadata } from './batch-facts.ts';
import { foreignObject, OrglogError } from './errors.ts';
import { withGap } from './gaps.ts';
import { dayOf, objectKey } from './keys.ts';
import type { CursorRow, Gap, ObjectHead, RowPatch, StoredObject, WriteRequest } from './ports.ts';
import { commitPatch, patched } from './row.ts';
import type { RunContext, RunEvent, RunPorts } from './run.ts';

/** Tries of one write whose outcome had to be looked up. */
const WRITE_TRIES = 3;

/** A batch that can be ended and put. */
export interface Settleable {
  /** Ends it. `start` is the row's token, `eventTime` (epoch ms) what every announcement will carry. */
  finish(
    start: string | undefined,
    eventTime: number,
  ): Promise<{ readonly body: readonly Uint8Array[]; readonly facts: BatchFacts }>;
}

/** What settling takes of a run's ports. */
export interface SettlementPorts extends Pick<RunPorts, 'archive' | 'clock' | 'cursors'> {
  readonly observe: (event: Extract<RunEvent, { kind: 'batch' | 'adopted' | 'gap' }>) => void;
}

/** What settling counts. */
export interface SettlementTally {
  batches: number;
  adopted: number;
  events: number;
  bytes: number;
  storedBytes: number;
  countGap(gap: Gap): void;
}

/** Makes batches last: put, commit, announce, in this order, and the row's only writer while the lease is held. */
export class Settlement {
  row: CursorRow;
  /** False while a put may have happened that no commit is known to have followed: key and token must then stay. */
  settled = true;
  private readonly announcer: Announcer;
  private readonly ports: SettlementPorts;
  private readonly context: Pick<RunContext, 'owner' | 'signal'>;
  private readonly tally: SettlementTally;
  /** Gaps that no batch carries, until a write has recorded them. */
  private readonly openGaps: Gap[] = [];
  private readonly recorded = new Set<Gap>();

  constructor(
    row: CursorRow,
    announcer: Announcer,
    ports: SettlementPorts,
    context: Pick<RunContext, 'owner' | 'signal'>,
    tally: SettlementTally,
  ) {
    this.row = row;
    this.announcer = announcer;
    this.ports = ports;
    this.context = context;
    this.tally = tally;
  }

  /** A gap that no batch carries; the row's next write records it. */
  gapToRecord(gap: Gap): void {
    this.openGaps.push(gap);
  }

  /**
   * Put the batch under the next key, commit and announce it. `adopted`: a run that died had put an object there; that
   * one was committed instead, and the batch is to be read again from the row's token.
   */
  async settle(batch: Settleable): Promise<'committed' | 'adopted'> {
    const { archive, clock, observe } = this.ports;
    const key = this.nextKey();
    const { body, facts } = await batch.finish(this.row.token, clock.now());
    this.settled = false;
    const object = { key, body, contentType: 'application/x-ndjson', metadata: toMetadata(facts) };
    const stored = await archive.put(object, this.context.signal);
    if (stored === 'exists') {
      await this.adopt(key, await archive.head(key, this.context.signal));
      return 'adopted';
    }
    await this.commit(facts);
    const { sequence } = this.row;
    observe({ kind: 'batch', key, sequence, events: facts.count, storedBytes: stored.size });
    await this.tell(facts, stored);
    return 'committed';
  }

  /**
   * Commit the batch that a dead run may have put from the present token on: before the token moves without a put,
   * which would have met it.
   */
  async adoptLeft(): Promise<boolean> {
    const key = this.nextKey();
    const head = await this.ports.archive.head(key, this.context.signal);
    if (head !== undefined) await this.adopt(key, head);
    return head !== undefined;
  }

  /**
   * Move the token without a batch, by one conditional write. Only to a token that the row never had, and only where
   * no batch of a dead run can wait that starts at the present one: it would go on from nowhere.
   */
  async advance(patch: RowPatch & { readonly token: string }): Promise<void> {
    const unrecorded = this.unrecorded(this.openGaps);
    const announced = { ...this.announcer.announced };
    await this.write({ ...patch, ...this.gapsPatch(unrecorded), announced }, unrecorded);
  }

  /** Release the lease with the run's facts; with none of them where the row is not what this run left. */
  async release(facts: RowPatch): Promise<void> {
    const unrecorded = this.unrecorded(this.settled ? this.openGaps : []);
    const set = { ...facts, ...this.gapsPatch(unrecorded) };
    const request = this.request(set, true);
    const answer = await this.ports.cursors.write(request, this.context.signal);
    if (answer === 'written' || (await this.isReleased())) {
      this.noteRecorded(unrecorded);
      this.row = patched(this.row, set);
      return;
    }
    const { expectedSequence: _, ...bare } = { ...request, set: {} };
    if ((await this.ports.cursors.write(bare, this.context.signal)) === 'refused') throw this.leaseLost();
  }

  /** What the row's next write has to add to its gaps: what was announced past them is recorded by the same write. */
  private unrecorded(open: readonly Gap[]): readonly Gap[] {
    return [...open, ...this.announcer.gaps].filter((gap) => !this.recorded.has(gap));
  }

  private gapsPatch(added: readonly Gap[]): { readonly gaps?: readonly Gap[] } {
    return added.length > 0 ? { gaps: added.reduce(withGap, this.row.gaps) } : {};
  }

  private noteRecorded(gaps: readonly Gap[]): void {
    for (const gap of gaps) {
      this.recorded.add(gap);
      // The announcer counts its own as it finds them.
      if (this.openGaps.includes(gap)) this.countGap(gap);
    }
  }

  private nextKey(): string {
    const key = objectKey(this.row, this.row.sequence + 1);
    if (key !== undefined) return key;
    throw new OrglogError(
      'storage',
      `the cursor row of ${this.row.org} has no day for sequence ${this.row.sequence + 1}: restore the table from its backup`,
    );
  }

  private async adopt(key: string, head: ObjectHead | undefined): Promise<void> {
    const facts = head && fromMetadata(head.metadata);
    if (head === undefined || facts === undefined) throw foreignObject(key);
    if (facts.start !== this.row.token) {
      throw new OrglogError(
        'object-conflict',
        `the archive holds an object at ${key} that does not go on from the cursor's token: a restored table, or two systems on one archive. Nothing was overwritten; compare the object's metadata with the row, then move the object away or put the row right`,
      );
    }
    await this.commit(facts);
    this.tally.adopted++;
    this.ports.observe({ kind: 'adopted', key, sequence: this.row.sequence, events: facts.count });
    await this.tell(facts, head);
  }

  private async tell(facts: BatchFacts, stored: StoredObject): Promise<void> {
    this.tally.batches++;
    this.tally.events += facts.count;
    this.tally.bytes += facts.bytes;
    this.tally.storedBytes += stored.size;
    if (facts.gap) this.countGap(facts.gap);
    await this.announcer.catchUp(this.row, { facts, stored });
  }

  private async commit(facts: BatchFacts): Promise<void> {
    const unrecorded = this.unrecorded(this.openGaps);
    const gaps = this.gapsPatch(unrecorded);
    const row = { ...this.row, ...gaps, announced: { ...this.announcer.announced } };
    const today = dayOf(this.ports.clock.now());
    await this.write({ ...gaps, ...commitPatch(row, facts, today) }, unrecorded);
    this.settled = true;
  }

  /**
   * One conditional write. A refused condition, or a failure that may have taken effect, is looked into: owner me and
   * the patch's sequence and token mean that it is written.
   */
  private async write(patch: RowPatch, unrecorded: readonly Gap[]): Promise<void> {
    const request = this.request(patch, false);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.ports.cursors
        .write(request, this.context.signal)
        .catch((error: unknown) => ({ error }));
      if (answer === 'written' || (await this.isWritten(request))) break;
      if (attempt < WRITE_TRIES) continue;
      throw typeof answer === 'object' ? answer.error : this.leaseLost();
    }
    this.noteRecorded(unrecorded);
    this.row = patched(this.row, patch);
  }

  /** @throws OrglogError lease-lost when another run has taken over. */
  private async isWritten(request: WriteRequest): Promise<boolean> {
    const row = await this.ports.cursors.read(request, this.context.signal);
    if (row?.lease?.owner !== this.context.owner) throw this.leaseLost();
    const { sequence = this.row.sequence, token = row.token } = request.set;
    return row.sequence === sequence && row.token === token;
  }

  /** A request that was repeated below us is refused because its first try had taken effect: nobody holds the lease. */
  private async isReleased(): Promise<boolean> {
    const row = await this.ports.cursors.read(this.row, this.context.signal);
    return row !== undefined && row.lease === undefined && row.sequence === this.row.sequence;
  }

  private request(set: RowPatch, release: boolean): WriteRequest {
    const { org, stream, sequence } = this.row;
    return { org, stream, owner: this.context.owner, expectedSequence: sequence, set, release };
  }

  private countGap(gap: Gap): void {
    this.tally.countGap(gap);
    this.ports.observe({ kind: 'gap', gap: { from: gap.from, to: gap.to, reason: gap.reason } });
  }

  private leaseLost(): OrglogError {
    return new OrglogError(
      'lease-lost',
      `another run took the lease of ${this.row.org} while this one still worked: this one took too long, and leaves the rest to the other. Nothing is lost; if it happens again, look at the run times`,
    );
  }
}
