import type { RunEvent, RunReport } from '../functions/core/run.ts';
import type { PushStanding } from './push.ts';

/** What this session has done, as far as it is known at this moment. Bytes are uncompressed unless `stored`. */
export interface Progress {
  readonly phase: 'preparing' | 'reading' | 'waiting' | 'stopping' | 'ended' | 'failed';
  readonly pages: number;
  readonly events: number;
  readonly bytes: number;
  readonly batches: number;
  readonly storedBytes: number;
  /** Messages that the SIEM has not done yet. */
  readonly queued: number;
  /** Messages set aside, because their objects cannot be read. */
  readonly dead: number;
  /** Lines of the SIEM's file, earlier sessions' among them. */
  readonly siemLines: number;
  readonly siemBytes: number;
  /** What is pushed where, in the order it was asked for. */
  readonly pushes: readonly PushStanding[];
  /** Epoch ms. */
  readonly newestEventAt?: number;
  readonly nextReadAt?: number;
  readonly gaps: number;
  /** What the walks over identity records found, or where they stand. */
  readonly identities?: string;
  /** A passing trouble that this run is trying to get over. */
  readonly hitch?: string;
  /** What failed last, until something goes well again. */
  readonly trouble?: string;
}

type Patch = { readonly [K in keyof Progress]?: Progress[K] | undefined };

/** The one place where a session says how it goes; displays look at it whenever it changes. */
export class ProgressBoard {
  #progress: Progress = {
    phase: 'preparing',
    ...{ pages: 0, events: 0, bytes: 0, batches: 0, storedBytes: 0 },
    ...{ queued: 0, dead: 0, siemLines: 0, siemBytes: 0, gaps: 0 },
    pushes: [],
  };
  readonly #onChange: (progress: Progress) => void;

  constructor(onChange: (progress: Progress) => void) {
    this.#onChange = onChange;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** A member given as `undefined` is taken out. */
  update(patch: Patch): void {
    const entries = Object.entries({ ...this.#progress, ...patch }).filter(
      ([, value]) => value !== undefined,
    );
    this.#progress = Object.fromEntries(entries) as unknown as Progress;
    this.#onChange(this.#progress);
  }

  /** One step of a run. */
  step(event: RunEvent): void {
    const { pages, events, bytes, batches, storedBytes, gaps } = this.#progress;
    switch (event.kind) {
      case 'page':
        this.update({
          ...{ pages: pages + 1, events: events + event.events, bytes: bytes + event.bytes },
          hitch: undefined,
          trouble: undefined,
        });
        break;
      case 'batch':
        this.update({ batches: batches + 1, storedBytes: storedBytes + event.storedBytes });
        break;
      case 'adopted':
        this.update({ batches: batches + 1 });
        break;
      case 'gap':
        this.update({ gaps: gaps + 1 });
        break;
      case 'retry':
        this.update({ hitch: `${event.reason}; trying again in ${seconds(event.delayMs)} s` });
        break;
      case 'announce-failed':
        this.update({ trouble: `a batch could not be queued: ${event.reason}` });
        break;
    }
  }
}

/** The sums of a session's runs. */
export class Totals {
  events = 0;
  bytes = 0;
  storedBytes = 0;
  pages = 0;
  batches = 0;
  repeats = 0;
  gaps = 0;

  add(report: RunReport): void {
    this.events += report.events;
    this.bytes += report.bytes;
    this.storedBytes += report.storedBytes;
    this.pages += report.pages;
    this.batches += report.batches;
    this.repeats += report.repeats;
    this.gaps += report.gaps;
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);
}
