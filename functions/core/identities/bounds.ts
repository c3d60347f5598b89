/** What bounds a sync's memory and the size of its objects. */
export interface Bounds {
  /** Pages that are read before they are put. */
  readonly windowPages: number;
  /** Characters of JSON after which they are put, however few pages they are. */
  readonly windowCharacters: number;
  /** Identities that a partition should hold. */
  readonly partitionSize: number;
  /** Characters of JSON that it should hold at most, by what the first page of each list weighs. */
  readonly partitionCharacters: number;
}

/** About 10,000 records a window, twice while one is being put; a partition of 5,000 with what it is compared with. */
export const BOUNDS: Bounds = {
  windowPages: 200,
  windowCharacters: 24 * 1024 * 1024,
  partitionSize: 5000,
  partitionCharacters: 24 * 1024 * 1024,
};

/**
 * A walk that is still open after so long begins anew: what it put may expire at any time now (infra/archive.ts), and a
 * part that is gone looks like one that never was.
 */
export const LONGEST_WALK_DAYS = 28;

/** Identities asked about at once: a source needs as many connections, or they wait for each other. */
export const FETCHES_AT_ONCE = 8;

/** Objects of one walk put or read at once. */
export const OBJECTS_AT_ONCE = 16;
