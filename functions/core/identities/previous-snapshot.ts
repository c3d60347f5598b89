import type { Identity } from './identity.ts';
import { hashOf, intersecting, partitionOf } from './partitions.ts';
import type { Plan } from './plan.ts';
import type { WalkKeys } from './walk-keys.ts';
import type { WalkStore } from './walk-store.ts';

/** The snapshot that a walk is compared with, as this walk's partitions cut it. */
export class PreviousSnapshot {
  readonly plan: Plan;
  private readonly partitions: number;
  private readonly store: WalkStore;
  private readonly keys: WalkKeys;
  private readonly onMissing: (key: string) => void;

  /**
   * @param plan its plan
   * @param partitions how many this walk has
   * @param onMissing hears of an object that is gone
   */
  constructor(
    plan: Plan,
    partitions: number,
    store: WalkStore,
    keys: WalkKeys,
    onMissing: (key: string) => void,
  ) {
    this.plan = plan;
    this.partitions = partitions;
    this.store = store;
    this.keys = keys;
    this.onMissing = onMissing;
  }

  /** Its identities that belong into one of this walk's partitions; `undefined` where some of them are gone. */
  async read(partition: number): Promise<readonly Identity[] | undefined> {
    const { partitions, plan } = this;
    const found: Identity[] = [];
    for (const other of intersecting(partition, partitions, plan.partitions)) {
      const key = this.keys.snapshot(other);
      const identities = await this.store.getLines<Identity>(key);
      if (identities === undefined) {
        this.onMissing(key);
        return undefined;
      }
      for (const identity of identities) {
        if (partitionOf(hashOf(identity.serviceUid), partitions) === partition) found.push(identity);
      }
    }
    return found;
  }
}
