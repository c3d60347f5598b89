import { asOrglogError } from '../errors.ts';
import type { Settlement } from '../settlement.ts';
import { OBJECTS_AT_ONCE } from './bounds.ts';
import { type Confirmation, confirm } from './confirm.ts';
import { diff, type FeedHead } from './diff.ts';
import { FeedBatch } from './feed-batch.ts';
import { Gathering } from './gathering.ts';
import type { Identity } from './identity.ts';
import { lostSince, type MergeRules, restore } from './merge.ts';
import { inParallel } from './parallel.ts';
import type { Plan } from './plan.ts';
import type { SyncPorts, SyncSettings } from './ports.ts';
import { type Position, toToken } from './position.ts';
import type { PreviousSnapshot } from './previous-snapshot.ts';
import { redactor } from './redaction.ts';
import { sharedScope } from './scope.ts';
import type { SyncTally } from './sync-tally.ts';
import type { WalkKeys } from './walk-keys.ts';
import type { WalkStore } from './walk-store.ts';
import type { PartLine } from './window.ts';

type Merging = Extract<Position, { phase: 'merge' }>;

export interface WalkMergingParts {
  readonly ports: Pick<SyncPorts, 'source' | 'pseudonym' | 'clock' | 'newCompressor' | 'observe'>;
  readonly settings: SyncSettings;
  readonly settlement: Settlement;
  readonly store: WalkStore;
  readonly keys: WalkKeys;
  readonly plan: Plan;
  readonly previous: PreviousSnapshot | undefined;
  readonly tally: SyncTally;
  readonly stop: AbortSignal;
  /** Throws where the credential is another organization's. */
  readonly demandOwner: () => Promise<void>;
  /** Epoch ms after which what is not confirmed is not waited for, where the run could do nothing else. */
  readonly readUntil: number;
  /** Whether this run has done nothing but this: another one could get no further. */
  readonly fresh: boolean;
}

/** Makes a walk's parts into its snapshot and its feed, partition by partition. */
export class WalkMerging {
  private readonly parts: WalkMergingParts;
  private readonly head: FeedHead;
  private readonly rules: MergeRules;
  /** Makes records of the last snapshot, and of this one, into what may leave now. */
  private readonly leaving: { readonly before: Redact; readonly now: Redact };
  private fresh: boolean;

  constructor(parts: WalkMergingParts) {
    const { plan, settings, previous, ports } = parts;
    this.parts = parts;
    this.fresh = parts.fresh;
    this.head = {
      org: settings.org,
      environment: plan.environment,
      walk: plan.walk,
      walkStartedAt: new Date(plan.startedAt).toISOString(),
    };
    const { names, pseudonymKeyId } = plan.redaction;
    const then = new Set(previous?.plan.redaction.names);
    const redactorOf = (wanted: readonly string[], has: ReadonlySet<string>) =>
      redactor(
        wanted.filter((name) => !has.has(name)),
        ports.pseudonym,
      );
    // What is gone is told as it last was: in a snapshot that may have been made before its values had to be redacted.
    this.leaving = {
      before: redactorOf([...names, ...settings.redact], then),
      now: redactorOf(settings.redact, new Set(names)),
    };
    this.rules = {
      authorities: new Set(plan.authorities),
      hosted: sharedScope(previous?.plan ?? plan, plan).hosted,
      carried: redactorOf(names, then),
      fetched: pseudonymKeyId === settings.pseudonymKeyId ? redactor(names, ports.pseudonym) : undefined,
    };
  }

  /**
   * From a position on, one batch further: `settled` when the row moved by a batch (this one or a dead run's), `done`
   * when the walk is finished without one more.
   */
  async run(position: Merging): Promise<'settled' | 'done' | 'stopped'> {
    const { ports, settings, settlement, plan, stop, tally } = this.parts;
    const batch = new FeedBatch(ports.newCompressor());
    try {
      let { partition, identities } = position;
      let stopped = false;
      while (partition < plan.partitions && batch.size < settings.batchBytes) {
        const merged = stop.aborted ? undefined : await this.partition(partition, position.flushes);
        stopped = merged === undefined;
        if (merged === undefined) break;
        partition++;
        identities += merged.now.length;
        await batch.add(this.events(merged), this.tokenAt({ ...position, partition, identities }));
      }
      const finished = partition === plan.partitions;
      if (finished) tally.identities = identities;
      if (batch.count > 0) {
        if ((await settlement.settle(batch)) === 'committed') tally.countActions(batch.byAction);
        return stopped ? 'stopped' : 'settled';
      }
      // Short of the walk's end the row stays: the next run comes by here again, and finds the snapshots made.
      if (!finished) return 'stopped';
      if (await settlement.adoptLeft()) return 'settled';
      await settlement.advance({ token: this.tokenAt({ ...position, partition }) });
      return 'done';
    } finally {
      batch.discard();
    }
  }

  private tokenAt(position: Merging): string {
    const { walk, startedAt, partitions } = this.parts.plan;
    return position.partition < partitions
      ? toToken(position)
      : toToken({ phase: 'idle', last: { walk, startedAt } });
  }

  private events(merged: Merged) {
    const { plan, previous } = this.parts;
    const before = merged.before?.map(this.leaving.before);
    const now = merged.now.map(this.leaving.now);
    const scope = sharedScope(previous?.plan ?? plan, plan);
    return diff({ head: this.head, before, now, scope, whole: plan.snapshots === 'every' });
  }

  /** One partition of the snapshot, put once and for all; `undefined` when time was up before it could be. */
  private async partition(partition: number, flushes: number): Promise<Merged | undefined> {
    const { store, keys, previous, plan, ports } = this.parts;
    const key = keys.snapshot(partition);
    const before = await previous?.read(partition);
    const exists = await store.getLines<Identity>(key);
    if (exists !== undefined) return { before, now: exists };
    const gathering = await this.gather(partition, flushes);
    if (before && !(await this.settleLosses(before, gathering))) return undefined;
    const now = gathering.snapshot();
    this.fresh = false;
    const put = await store.putLines(
      key,
      now.map((identity) => JSON.stringify(identity)),
    );
    ports.observe({ kind: 'snapshot', walk: plan.walk, partition, of: plan.partitions });
    // A run that had stalled was faster: what it put is the snapshot.
    return { before, now: put === 'put' ? now : ((await store.getLines<Identity>(key)) ?? now) };
  }

  private async gather(partition: number, flushes: number): Promise<Gathering> {
    const { store, keys } = this.parts;
    const gathering = new Gathering();
    for (let from = 0; from < flushes; from += OBJECTS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(OBJECTS_AT_ONCE, flushes - from) }, (_, i) => from + i);
      // Not there: that flush had nothing in this partition.
      const read = await inParallel(numbers, OBJECTS_AT_ONCE, (flush) =>
        store.getLines<PartLine>(keys.part(partition, flush)),
      );
      for (const line of read.flatMap((lines) => lines ?? [])) gathering.add(line);
    }
    return gathering;
  }

  /** False when time was up: the partition is left to the next run, unless that one could get no further either. */
  private async settleLosses(before: readonly Identity[], gathering: Gathering): Promise<boolean> {
    const { ports, stop, readUntil, tally } = this.parts;
    const lost = lostSince(before, gathering, this.rules);
    if (lost.length === 0) return true;
    const serviceUids = lost.map((one) => one.before.serviceUid);
    const confirmation = await this.confirmed(serviceUids);
    const cutShort = stop.aborted && confirmation.trouble !== undefined;
    if (cutShort && !(this.fresh && ports.clock.now() >= readUntil)) return false;
    const unconfirmed = restore(lost, confirmation, gathering, this.rules);
    if (unconfirmed > 0) {
      const reason = confirmation.trouble ?? 'fetched without its collections';
      tally.unconfirmed += unconfirmed;
      ports.observe({ kind: 'unconfirmed', count: unconfirmed, reason });
    }
    return true;
  }

  private async confirmed(serviceUids: readonly string[]): Promise<Confirmation> {
    const { ports, stop, demandOwner } = this.parts;
    try {
      await demandOwner();
    } catch (error) {
      const { code, message } = asOrglogError(error, 'unavailable');
      if (code === 'source-changed') throw error;
      return { answers: new Map(), trouble: message };
    }
    return confirm(serviceUids, ports.source, stop);
  }
}

type Redact = (identity: Identity) => Identity;

/** One partition, and what it is compared with: nothing in a first walk. */
interface Merged {
  readonly before: readonly Identity[] | undefined;
  readonly now: readonly Identity[];
}
