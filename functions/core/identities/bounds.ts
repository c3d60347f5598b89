/** What bounds a sync's memory and the size of its objects. */
export interface Bounds {
  /** Pages that are read before they are put. */
  readonly windowPages: number;
  /** Identities that a partition should hold. */
  readonly partitionSize: number;
}

/** About 10,000 records a window, twice while one is being put; a partition of 5,000 with what it is compared with. */
export const BOUNDS: Bounds = { windowPages: 200, partitionSize: 5000 };

/** Objects of one walk put or read at once. */
export const OBJECTS_AT_ONCE = 16;
