import type { Clock } from '../../functions/core/ports.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly ring: () => void;
}

/** A clock that goes on to the next moment at which something is to happen, as soon as all before it has happened. */
export class VirtualTime implements Clock {
  #now: number;
  #order = 0;
  /** A heap: the earliest first, and of one moment the one that was set first. */
  readonly #timers: Timer[] = [];

  /** @param startMs epoch ms */
  constructor(startMs: number) {
    this.#now = startMs;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => this.at(this.#now + delayMs, resolve));

  at(atMs: number, ring: () => void): void {
    const timers = this.#timers;
    let index = timers.push({ atMs, order: ++this.#order, ring }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapWhenEarlier(index, parent)) return;
      index = parent;
    }
  }

  /** Until nothing is to happen any more. What happens must need no real time, or be awaited by nobody. */
  async run(): Promise<void> {
    for (let timer = this.#next(); timer !== undefined; timer = this.#next()) {
      this.#now = Math.max(this.#now, timer.atMs);
      timer.ring();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #next(): Timer | undefined {
    const timers = this.#timers;
    const first = timers[0];
    const last = timers.pop();
    if (first === undefined || last === undefined || timers.length === 0) return first;
    timers[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapWhenEarlier(child, at)) return first;
      at = child;
    }
  }

  #swapWhenEarlier(lower: number, upper: number): boolean {
    const below = this.#timers[lower];
    const above = this.#timers[upper];
    if (below === undefined || above === undefined || !this.#isEarlier(lower, upper)) return false;
    this.#timers[lower] = above;
    this.#timers[upper] = below;
    return true;
  }

  #isEarlier(one: number, other: number): boolean {
    const a = this.#timers[one];
    const b = this.#timers[other];
    if (a === undefined || b === undefined) return false;
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }
}
