import { Announcer } from '../announcer.ts';
import { asOrglogError, OrglogError } from '../errors.ts';
import { dayOf, withToday } from '../keys.ts';
import type { CursorRow, RowPatch } from '../ports.ts';
import { oldestOwed } from '../row.ts';
import type { RunContext } from '../run.ts';
import { Settlement } from '../settlement.ts';
import { type Bounds, LONGEST_WALK_DAYS } from './bounds.ts';
import { demandSameOwner } from './owner.ts';
import { partitionsFor } from './partitions.ts';
import { type Plan, sameRedaction, sorted } from './plan.ts';
import { Population } from './population.ts';
import type { Grant, SyncPorts, SyncReport, SyncSettings } from './ports.ts';
import { type FinishedWalk, fromToken, type Position, toToken } from './position.ts';
import { PreviousSnapshot } from './previous-snapshot.ts';
import { readable } from './readable.ts';
import type { SyncTally } from './sync-tally.ts';
import { WalkKeys } from './walk-keys.ts';
import { WalkMerging } from './walk-merging.ts';
import { unanswered, WalkReading } from './walk-reading.ts';
import { WalkStore } from './walk-store.ts';

type Outcome = SyncReport['outcome'];

const LONGEST_WALK_MS = LONGEST_WALK_DAYS * 86_400_000;

/** A run of the sync that holds the lease: from the row it was given to the release. */
export class SyncRun {
  private readonly ports: SyncPorts;
  private readonly settings: SyncSettings;
  private readonly context: RunContext;
  private readonly bounds: Bounds;
  private readonly tally: SyncTally;
  private readonly announcer: Announcer;
  private readonly settlement: Settlement;
  private readonly store: WalkStore;
  private readonly stop: AbortSignal;
  private lastReadAt: number | undefined;
  /** The plan of the walk under way, once known. */
  private plan: Plan | undefined;
  private readonly missing = new Set<string>();
  /** What the provider says of the credential, once it was asked. */
  private grant: Promise<Grant> | undefined;

  constructor(
    row: CursorRow,
    ports: SyncPorts,
    settings: SyncSettings,
    context: RunContext,
    bounds: Bounds,
    tally: SyncTally,
  ) {
    this.ports = ports;
    this.settings = settings;
    this.context = context;
    this.bounds = bounds;
    this.tally = tally;
    this.announcer = new Announcer(row, ports, tally, context.signal);
    this.settlement = new Settlement(row, this.announcer, ports, context, tally);
    this.store = new WalkStore(ports.archive, ports.newCompressor, context.signal);
    this.stop = AbortSignal.any([context.stopReading, context.signal]);
  }

  /** The row as this run knows it. */
  get row(): CursorRow {
    return this.settlement.row;
  }

  /** Do the run's work, then release the lease, whatever happened. */
  async finish(): Promise<{ outcome: Outcome; error?: OrglogError }> {
    let outcome: Outcome = 'failed';
    let error: OrglogError | undefined;
    try {
      await this.announcer.catchUp(this.row);
      outcome = await this.walk();
      error = this.announcer.missingObjects();
    } catch (thrown) {
      error = asOrglogError(thrown, 'storage');
    }
    try {
      await this.release();
    } catch (thrown) {
      error ??= asOrglogError(thrown, 'storage');
    }
    return error ? { outcome: 'failed', error } : { outcome };
  }

  /** Step by step from where the row stands, to the end of one walk or of the time. */
  private async walk(): Promise<Outcome> {
    let fresh = true;
    for (;;) {
      const position = fromToken(this.row.token);
      if (this.stop.aborted) return 'time-up';
      if (position.phase === 'idle') {
        if (!isDue(position.last, this.settings, this.ports.clock.now())) return 'not-due';
        if (!(await this.begin((position.last?.walk ?? 0) + 1, position.last))) return this.timeUp();
      } else {
        const plan = await this.planOf(position);
        const ended =
          plan === undefined ? await this.beginAnew(position) : await this.goOn(position, plan, fresh);
        if (!ended) return this.timeUp();
      }
      fresh = false;
      if (fromToken(this.row.token).phase === 'idle') return 'complete';
    }
  }

  /** False when time was up. */
  private async goOn(
    position: Exclude<Position, { phase: 'idle' }>,
    plan: Plan,
    fresh: boolean,
  ): Promise<boolean> {
    const { ports, settings, bounds, settlement, store, tally, stop } = this;
    const keys = new WalkKeys(this.row, plan.walk);
    const parts = { ports, settings, bounds, settlement, store, keys, plan, tally, stop };
    const demandOwner = async () => demandSameOwner(await this.granted(), plan, settings);
    if (position.phase === 'read') {
      const reading = new WalkReading(position, { ...parts, demandOwner, onAnswer: () => this.noteAnswer() });
      try {
        return (await reading.read()) === 'read';
      } catch (error) {
        if (!(await this.isOutOfReach(plan, error))) throw error;
        return this.begin(position.walk + 1, position.last);
      }
    }
    const { readUntil } = this.context;
    const previous = await this.previousOf(plan);
    const merging = new WalkMerging({ ...parts, previous, demandOwner, readUntil, fresh });
    return (await merging.run(position)) !== 'stopped';
  }

  /** Whether a plan names an authority that a new one would not: permissions or settings were narrowed since. */
  private async isOutOfReach(plan: Plan, error: unknown): Promise<boolean> {
    if (!(error instanceof OrglogError) || error.code !== 'not-authorized' || this.stop.aborted) return false;
    const now = new Set(this.settings.authorities ?? (await this.readable()));
    return plan.authorities.some((authority) => !now.has(authority));
  }

  /** Whose collections the next walk reads; `population` takes the first pages of their lists. */
  private async authorities(population: Population): Promise<readonly string[]> {
    const { ports, settings, stop } = this;
    const { authorities, environment } = settings;
    if (authorities === undefined) return this.readable((page, of) => population.add(page, of));
    for (const authority of authorities) {
      population.add(await ports.source.page({ environment, authority, page: 1 }, stop), authority);
    }
    return authorities;
  }

  private async readable(onFirstPage?: Parameters<typeof readable>[4]): Promise<readonly string[]> {
    const { authorities } = await this.granted();
    return readable(authorities, this.settings.environment, this.ports, this.stop, onFirstPage);
  }

  private granted(): Promise<Grant> {
    this.grant ??= this.ports.source.granted(this.settings.environment, this.stop);
    return this.grant;
  }

  /** Give up the walk under way for the next one. False when time was up. */
  private async beginAnew(position: Exclude<Position, { phase: 'idle' }>): Promise<boolean> {
    if (position.phase === 'merge' && (await this.settlement.adoptLeft())) return true;
    return this.begin(position.walk + 1, position.last);
  }

  /** Plan a walk, and move the row to its first list. False when time was up. */
  private async begin(walk: number, last: FinishedWalk | undefined): Promise<boolean> {
    const { ports, settings, store } = this;
    const { environment } = settings;
    const startedAt = ports.clock.now();
    let plan: Plan;
    try {
      const first = await ports.source.page({ environment, page: 1 }, this.stop);
      this.noteAnswer();
      const grant = await this.granted();
      const previous = last && (await store.getPlan(this.keysOf(last.walk).plan));
      demandSameOwner(grant, previous, settings);
      const population = new Population();
      population.add(first);
      const authorities = await this.authorities(population);
      const { partitionSize } = this.bounds;
      plan = {
        walk,
        startedAt,
        environment,
        orgDomain: grant.orgDomain,
        hosted: grant.hosted,
        authorities: sorted(authorities),
        partitions: partitionsFor(population.sizeBy(this.bounds), partitionSize, previous?.partitions ?? 1),
        redaction: { names: sorted(settings.redact), pseudonymKeyId: settings.pseudonymKeyId },
        snapshots: settings.snapshots,
        ...(last && { previous: last }),
      };
      const { totalItems: identities } = first;
      ports.observe({ kind: 'walk', walk, identities, authorities: plan.authorities.length });
    } catch (error) {
      if (this.stop.aborted) return false;
      throw error;
    }
    // One that a dead run left is found by whoever goes on from here: it says as much.
    await store.putPlan(this.keysOf(walk).plan, plan);
    const next = { list: 0 };
    const token = toToken({ phase: 'read', walk, ...(last && { last }), next, flushes: 0 });
    await this.settlement.advance({ token, caughtUp: false, days: this.daysFrom(startedAt) });
    return true;
  }

  /**
   * The plan of the walk under way. `undefined` where the walk has to begin anew: its plan is gone or too old, or what it
   * read is redacted otherwise than it has to be now.
   */
  private async planOf(position: Exclude<Position, { phase: 'idle' }>): Promise<Plan | undefined> {
    if (this.plan?.walk !== position.walk) {
      this.plan = await this.store.getPlan(this.keysOf(position.walk).plan);
      this.tally.walkStartedAt = this.plan?.startedAt;
    }
    const { plan } = this;
    if (plan === undefined || this.ports.clock.now() - plan.startedAt >= LONGEST_WALK_MS) return undefined;
    const { redact, pseudonymKeyId } = this.settings;
    const isStale =
      position.phase === 'read' && !sameRedaction(plan.redaction, { names: sorted(redact), pseudonymKeyId });
    return isStale ? undefined : plan;
  }

  private async previousOf(plan: Plan): Promise<PreviousSnapshot | undefined> {
    const { previous } = plan;
    if (previous === undefined) return undefined;
    const keys = this.keysOf(previous.walk);
    const onMissing = (key: string) => this.noteMissing(key, previous, plan);
    const planThen = await this.store.getPlan(keys.plan);
    if (planThen === undefined) onMissing(keys.plan);
    return planThen && new PreviousSnapshot(planThen, plan.partitions, this.store, keys, onMissing);
  }

  /** What changed since the last walk cannot be told: one gap for all that is gone. */
  private noteMissing(key: string, previous: FinishedWalk, plan: Plan): void {
    if (this.missing.size === 0) {
      const span = { from: previous.startedAt, to: Math.max(previous.startedAt, plan.startedAt) };
      this.settlement.gapToRecord({ ...span, reason: 'object-missing', token: key });
    }
    this.missing.add(key);
  }

  /** With today as the day of the next key: no run can have put a batch from where the row stands. */
  private daysFrom(now: number): CursorRow['days'] {
    const { row } = this;
    return withToday(row.days, row.sequence + 1, dayOf(now), oldestOwed(row));
  }

  private timeUp(): Outcome {
    const { pages, batches, announced } = this.tally;
    const late = this.ports.clock.now() >= this.context.readUntil;
    const { phase } = fromToken(this.row.token);
    if (phase !== 'merge' && late && pages + batches + announced === 0) throw unanswered(this.settings);
    return 'time-up';
  }

  private async release(): Promise<void> {
    const { settled } = this.settlement;
    const announced = { ...this.announcer.announced };
    const { lastReadAt } = this;
    const patch: RowPatch = {
      announced,
      ...(settled && { caughtUp: this.isIdle() }),
      ...(lastReadAt !== undefined && { lastReadAt }),
    };
    await this.settlement.release(patch);
  }

  private isIdle(): boolean {
    try {
      return fromToken(this.row.token).last !== undefined && fromToken(this.row.token).phase === 'idle';
    } catch {
      return false;
    }
  }

  private noteAnswer(): void {
    this.lastReadAt = this.ports.clock.now();
  }

  private keysOf(walk: number): WalkKeys {
    return new WalkKeys(this.row, walk);
  }
}

/** Whether a walk has to begin: the last one began the period ago, or by a clock that has since gone back. */
export function isDue(
  last: FinishedWalk | undefined,
  { everyMs }: Pick<SyncSettings, 'everyMs'>,
  now: number,
): boolean {
  const since = last === undefined ? everyMs : now - last.startedAt;
  return since < 0 || since >= everyMs;
}
