import { Announcer } from './announcer.ts';
import { Batch } from './batch.ts';
import { asOrglogError, OrglogError } from './errors.ts';
import { PageFetcher, TokenRefused } from './fetch-page.ts';
import { gapWithoutToken, missedBy } from './gaps.ts';
import { dayOf, objectKey, withToday } from './keys.ts';
import type { KnownLines } from './known-lines.ts';
import type { CursorRow, Gap, RowPatch } from './ports.ts';
import { ReadAhead, type Step } from './read-ahead.ts';
import { readBack } from './read-back.ts';
import { oldestOwed } from './row.ts';
import type { RunContext, RunPorts, RunReport, RunSettings } from './run.ts';
import { Settlement } from './settlement.ts';
import type { Tally } from './tally.ts';

type PageStep = Extract<Step, { kind: 'page' }>;
type Outcome = RunReport['outcome'];

/** How one pass over the token chain ended. */
type Ended = Outcome | { readonly refused: TokenRefused } | 'adopted';

/** A run that holds the lease: from the row it was given to the release. */
export class CollectRun {
  private readonly ports: RunPorts;
  private readonly settings: RunSettings;
  private readonly context: RunContext;
  private readonly tally: Tally;
  private readonly announcer: Announcer;
  private readonly fetcher: PageFetcher;
  private readonly settlement: Settlement;
  /** What the release writes of what was read but not batched: a token moved by empty pages, the time, a gap. */
  private learnt: RowPatch = {};
  private readonly stopReading: AbortSignal;
  private freshStarts = 0;

  constructor(row: CursorRow, ports: RunPorts, settings: RunSettings, context: RunContext, tally: Tally) {
    this.ports = ports;
    this.settings = settings;
    this.context = context;
    this.tally = tally;
    this.announcer = new Announcer(row, ports, tally, context.signal);
    this.fetcher = new PageFetcher(ports, settings, context, tally);
    this.settlement = new Settlement(row, this.announcer, ports, context, tally);
    this.stopReading = AbortSignal.any([context.stopReading, context.signal]);
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
      outcome = this.readTooRecently() ? 'too-soon' : await this.readLog();
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

  private readTooRecently(): boolean {
    const { caughtUp, lastReadAt } = this.row;
    const since = this.ports.clock.now() - (lastReadAt ?? 0);
    return caughtUp && since >= 0 && since < this.settings.minIntervalMs;
  }

  private async readLog(): Promise<Outcome> {
    let stale: TokenRefused | undefined;
    for (;;) {
      const ended = await this.readFrom(stale);
      if (ended === 'adopted') stale = undefined;
      else if (typeof ended === 'string') return ended;
      else stale = await this.startAfresh(ended.refused);
    }
  }

  /** Follow the token chain once, batch by batch, from the row's token; or from none, after a stale one. */
  private async readFrom(stale: TokenRefused | undefined): Promise<Ended> {
    const { ports, settings } = this;
    const firstToken = this.row.sequence === 0 ? settings.fromToken : undefined;
    const from = stale ? undefined : (this.row.token ?? firstToken);
    await using reader = new ReadAhead({
      fetcher: this.fetcher,
      from,
      filtered: Object.keys(settings.filters).length > 0,
      aheadBytes: settings.batchBytes,
      now: () => ports.clock.now(),
      stop: this.stopReading,
    });
    const pass: Pass = {
      mayMiss: from === undefined && (stale !== undefined || this.row.sequence > 0),
      stale,
      mayRepeat: this.row.sequence > 0 && (from === undefined || this.row.rereads),
      committedTo: this.row.newestEventAt ?? Number.NEGATIVE_INFINITY,
      reachedNew: false,
      gap: from === undefined && !stale ? gapWithoutToken(this.row, ports.clock.now()) : undefined,
      read: false,
      stuck: false,
    };
    let batch = this.newBatch();
    try {
      for (;;) {
        const step = await reader.take();
        if (step.kind === 'page') await this.takePage(step, pass, batch);
        const last = step.kind !== 'page' || step.follows !== 'read-on';
        if (last && step.kind === 'page') this.assess(pass);
        if (batch.count > 0 && (last || batch.size >= settings.batchBytes)) {
          batch.gap = pass.gap;
          if ((await this.settlement.settle(batch)) === 'adopted') return 'adopted';
          pass.gap = undefined;
          const { lastReadAt } = this.learnt;
          this.learnt = lastReadAt === undefined ? {} : { lastReadAt };
          if (!last) batch = this.newBatch();
        } else if (last) this.learn(batch, pass);
        if (last) return this.endOf(step, pass);
      }
    } finally {
      batch.discard();
    }
  }

  private newBatch(): Batch {
    return new Batch(this.ports.newCompressor(), this.row.rereads);
  }

  private async takePage({ page, follows, full }: PageStep, pass: Pass, batch: Batch): Promise<void> {
    this.tally.pages++;
    pass.read = true;
    this.learnt = { ...this.learnt, lastReadAt: this.ports.clock.now() };
    for (const [what, times] of page.drift) {
      this.tally.drift += times;
      this.ports.observe({ kind: 'drift', what });
    }
    if (pass.mayRepeat && page.count > 0) pass.known ??= await this.linesKnownBefore(page.firstAt);
    const { kept, removed } = pass.known?.takeOut(page.lines) ?? { kept: [page.lines], removed: 0 };
    this.tally.repeats += removed;
    if (page.count > 0) this.assess(pass, { overlap: removed > 0, firstAt: page.firstAt });
    pass.stuck = full && removed === page.count && follows === 'not-moving';
    pass.reachedNew ||= (page.newestAt ?? Number.NEGATIVE_INFINITY) >= pass.committedTo;
    const behind = pass.mayRepeat && !pass.reachedNew;
    await batch.add(page, kept, removed, follows !== 'not-moving', behind);
    this.ports.observe({ kind: 'page', events: page.count, bytes: page.lines.length });
  }

  private linesKnownBefore(firstAt: number | undefined): Promise<KnownLines> {
    const { ports, context } = this;
    return readBack(this.row, firstAt, ports.archive, ports.clock.now(), context.signal);
  }

  /** Once per tokenless pass: does what it found reach back to what is committed? */
  private assess(pass: Pass, found?: { overlap: boolean; firstAt: number | undefined }): void {
    if (!pass.mayMiss || (found === undefined && !pass.stale)) return;
    pass.mayMiss = false;
    const now = this.ports.clock.now();
    const missed = missedBy({ now, overlap: found?.overlap ?? false, firstAt: found?.firstAt }, this.row);
    if (pass.stale) pass.gap = { ...missed, reason: 'stale-token', token: pass.stale.token };
    else if (missed.to > missed.from) pass.gap ??= { ...missed, reason: 'no-overlap' };
  }

  /** What a pass leaves to the release, where no batch carried it. */
  private learn(batch: Batch, pass: Pass): void {
    const { end } = batch;
    this.learnt = {
      ...this.learnt,
      ...(end !== undefined && end !== this.row.token && { token: end, rereads: batch.repeatsItself }),
    };
    if (pass.gap && pass.read) this.settlement.gapToRecord(pass.gap);
  }

  private endOf(step: Step, pass: Pass): Ended {
    if (step.kind === 'failed') {
      if (step.error instanceof TokenRefused) return { refused: step.error };
      throw step.error;
    }
    if (step.kind === 'stopped') {
      const { pages, batches, announced } = this.tally;
      const late = this.ports.clock.now() >= this.context.readUntil;
      if (late && pages + batches + announced === 0) throw unanswered(this.settings);
      return 'time-up';
    }
    if (pass.stuck) throw stuck(this.settings, step.page.count);
    const caughtUp = step.follows === 'caught-up' || !step.full;
    this.learnt = { ...this.learnt, caughtUp, refusedToken: undefined };
    return caughtUp ? 'caught-up' : 'time-up';
  }

  /**
   * Go on without the token that the provider refuses: at once when it named the token; otherwise only when a call
   * without it is answered and the next run is refused again (a gateway's bad minute must not cost the backlog).
   */
  private async startAfresh(refused: TokenRefused): Promise<TokenRefused> {
    if (this.row.token === undefined && refused.token === this.settings.fromToken) {
      throw new OrglogError(
        'invalid-request',
        `${refused.message}: it is the one to start from, so nothing was read. Give one that it knows, or none to start one hour ago`,
      );
    }
    if (!refused.certain && this.row.refusedToken !== refused.token) {
      await this.fetcher.fetch(undefined, this.stopReading);
      this.learnt = { ...this.learnt, refusedToken: refused.token };
      throw new OrglogError(
        'token-refused',
        `${refused.message}, though it answers without it: should the next run be refused too, the token counts as forgotten`,
      );
    }
    if (this.settings.onStaleToken === 'halt') {
      throw new OrglogError(
        'stale-token',
        `${refused.message}, and onStaleToken is "halt": rewind to a token it still knows, or set "continue" to go on from one hour ago with a recorded gap`,
      );
    }
    if (this.freshStarts++ > 0) {
      throw new OrglogError(
        'stale-token',
        `${refused.message}, twice in one run: ask the provider about its log`,
      );
    }
    return refused;
  }

  private async release(): Promise<void> {
    const { row, settled } = this.settlement;
    const patch: RowPatch = {
      announced: { ...this.announcer.announced },
      ...(settled && {
        ...this.learnt,
        caughtUp: this.learnt.caughtUp ?? (this.learnt.lastReadAt === undefined && row.caughtUp),
        days: await this.daysToRelease(),
      }),
    };
    await this.settlement.release(patch);
  }

  /**
   * With today as the day of the next key, unless a put of a dead run may wait there to be adopted: what this run read
   * has shown that there is none; if it read nothing, the archive is asked, at most at the first release of a day.
   */
  private async daysToRelease(): Promise<CursorRow['days']> {
    const { ports, row } = this;
    const next = row.sequence + 1;
    const days = withToday(row.days, next, dayOf(ports.clock.now()), oldestOwed(row));
    if (days === row.days || this.learnt.lastReadAt !== undefined) return days;
    const key = objectKey(row, next);
    if (key === undefined) return days;
    const left = await ports.archive.head(key, this.context.signal).catch(() => 'unknown');
    return left === undefined ? days : row.days;
  }
}

/** What one pass over the token chain has to keep in mind. */
interface Pass {
  /**
   * Whether it starts without a token, behind committed events or a token that it may not reach back to; until
   * assessed.
   */
  mayMiss: boolean;
  readonly stale: TokenRefused | undefined;
  /** Whether it can return events that are committed. */
  readonly mayRepeat: boolean;
  /** Epoch ms of the newest event that was committed before it. */
  readonly committedTo: number;
  /** Whether it came that far: until then a run that ends leaves the next one events to take out. */
  reachedNew: boolean;
  /** To be recorded with the next commit, or at release. */
  gap: Gap | undefined;
  /** Whether the provider answered: a gap is only what an answered read shows. */
  read: boolean;
  stuck: boolean;
  known?: KnownLines;
}

function stuck(settings: RunSettings, count: number): OrglogError {
  return new OrglogError(
    'log-stuck',
    `the provider's log of ${settings.orgUrl} does not move: a full page of ${count} events that are archived already, and no token that leads on. Raise the limit if it is below 1000, else ask the provider`,
  );
}

function unanswered(settings: RunSettings): OrglogError {
  return new OrglogError(
    'time-out',
    `the provider at ${settings.baseUrl} gave no page in the time that a run has: check its status; the cursor stays where it is`,
  );
}
