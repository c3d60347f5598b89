/** How much is measured. */
export interface Scale {
  /** Pages that the provider has of its own, and serves round and round. */
  readonly distinctPages: number;
  readonly catchUp: {
    readonly pages: number;
    /** Per latency of the provider: how often the floor and the collector on each backend run. */
    readonly rounds: readonly { readonly delayMs: number; readonly rounds: number }[];
  };
  readonly memory: { readonly fewPages: number; readonly manyPages: number; readonly rounds: number };
  /** Imports of each module. */
  readonly startUpRounds: number;
  /** Passes over a day's kinds of events. */
  readonly ecsRounds: number;
}

export const FULL: Scale = {
  distinctPages: 50,
  catchUp: {
    pages: 200,
    rounds: [
      { delayMs: 0, rounds: 11 },
      { delayMs: 50, rounds: 3 },
    ],
  },
  memory: { fewPages: 100, manyPages: 1000, rounds: 5 },
  startUpRounds: 25,
  ecsRounds: 9,
};

/** Proves that the benchmarks run; the figures mean nothing. */
export const SMOKE: Scale = {
  distinctPages: 2,
  catchUp: {
    pages: 5,
    rounds: [
      { delayMs: 0, rounds: 1 },
      { delayMs: 50, rounds: 1 },
    ],
  },
  memory: { fewPages: 5, manyPages: 10, rounds: 1 },
  startUpRounds: 1,
  ecsRounds: 1,
};
