import { asOrglogError } from './errors.ts';
import { type PageFetcher, TokenRefused } from './fetch-page.ts';
import type { Page } from './page.ts';
import { type Verdict, whatFollows } from './paging.ts';

/** What comes next: a page with what follows it, the wish to stop, or the trouble that ended reading. */
export type Step =
  | { readonly kind: 'page'; readonly page: Page; readonly follows: Verdict; readonly full: boolean }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: Error };

export interface ReadAheadOptions {
  readonly fetcher: Pick<PageFetcher, 'fetch'>;
  readonly from: string | undefined;
  readonly filtered: boolean;
  /** Pages are read ahead while fewer bytes than this wait to be taken. */
  readonly aheadBytes: number;
  readonly now: () => number;
  /** Ends reading; what was read stays to be taken. */
  readonly stop: AbortSignal;
}

/**
 * Follows the token chain ahead of whoever works on the pages. The chain is serial, so everything else (compressing,
 * putting, committing) hides behind it: the next page is asked for as soon as this one's token is known. A failure
 * waits behind the pages that came before it. Bounded: at most `aheadBytes`, and the page in flight.
 */
export class ReadAhead implements AsyncDisposable {
  private readonly options: ReadAheadOptions;
  private readonly abandon = new AbortController();
  private readonly signal: AbortSignal;
  private readonly steps: Step[] = [];
  private readonly reading: Promise<void>;
  private waitingBytes = 0;
  private wakeTaker: () => void = () => {};
  private wakeReader: () => void = () => {};

  constructor(options: ReadAheadOptions) {
    this.options = options;
    this.signal = AbortSignal.any([options.stop, this.abandon.signal]);
    this.signal.addEventListener('abort', () => this.wakeReader(), { once: true });
    this.reading = this.read();
  }

  /** The next step; after any but a page that is read on from, there is none. */
  async take(): Promise<Step> {
    while (this.steps.length === 0) {
      await new Promise<void>((resolve) => {
        this.wakeTaker = resolve;
      });
    }
    const step = this.steps.shift() as Step;
    if (step.kind === 'page') {
      this.waitingBytes -= step.page.heldBytes;
      this.wakeReader();
    }
    return step;
  }

  /** Gives up what is in flight, and waits until nothing is. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.abandon.abort();
    await this.reading;
  }

  private async read(): Promise<void> {
    const { fetcher, filtered, aheadBytes, now } = this.options;
    const seen = new Set<string>();
    let token = this.options.from;
    for (;;) {
      while (this.waitingBytes >= aheadBytes && !this.signal.aborted) {
        await new Promise<void>((resolve) => {
          this.wakeReader = resolve;
        });
      }
      if (this.signal.aborted) return this.push({ kind: 'stopped' });
      if (token !== undefined) seen.add(token);
      try {
        const { page, limit } = await fetcher.fetch(token, this.signal);
        const follows = whatFollows(page, { token, limit, filtered, now: now(), seen });
        this.waitingBytes += page.heldBytes;
        this.push({ kind: 'page', page, follows, full: page.count >= limit });
        if (follows !== 'read-on') return;
        token = page.token;
      } catch (error) {
        if (this.signal.aborted) return this.push({ kind: 'stopped' });
        const known = error instanceof TokenRefused ? error : asOrglogError(error, 'unavailable');
        return this.push({ kind: 'failed', error: known });
      }
    }
  }

  private push(step: Step): void {
    this.steps.push(step);
    this.wakeTaker();
  }
}
