import type { Bounds } from './bounds.ts';
import type { Identity, IdentityPage } from './identity.ts';
import { only } from './window.ts';

/** How much a walk will have to hold, by the first page of each of its lists. */
export class Population {
  private identities = 0;
  private characters = 0;

  /**
   * Take a list's first page.
   *
   * @param authority whose list it is; absent for the plain one
   */
  add(page: IdentityPage<Identity>, authority?: string): void {
    const { items, totalItems, pageCount } = page;
    // Of two figures that do not fit together the greater one: too many partitions are slow, too few do not fit.
    const total = Math.max(totalItems, (pageCount - 1) * items.length, items.length);
    if (authority === undefined) this.identities = total;
    const sample = items.reduce((sum, item) => sum + JSON.stringify(only(item, authority)).length, 0);
    if (items.length > 0) this.characters += (sample / items.length) * total;
  }

  /** In identities as a partition holds `partitionSize` of. */
  sizeBy({ partitionSize, partitionCharacters }: Bounds): number {
    return Math.max(this.identities, (this.characters / partitionCharacters) * partitionSize);
  }
}
