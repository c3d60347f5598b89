import type { SyncEvent, SyncReport } from '../functions/core/identities/ports.ts';

/** What a session's walks over identity records came to. */
export class WalkTotals {
  /** Of the last walk that was finished. */
  identities = 0;
  walks = 0;
  /** Feed lines about whole identities, and about what happened to them. */
  snapshots = 0;
  changes = 0;
  #page: { readonly page: number; readonly of: number } | undefined;

  /** Whether it shows. */
  step(event: SyncEvent): boolean {
    if (event.kind !== 'page') return false;
    this.#page = event;
    return true;
  }

  add({ outcome, identities, events, byAction }: SyncReport): void {
    const snapshots = byAction['identity.snapshot'] ?? 0;
    this.snapshots += snapshots;
    this.changes += events - snapshots;
    this.#page = undefined;
    if (outcome !== 'complete') return;
    this.walks += 1;
    this.identities = identities;
  }

  /** For the display: where a walk stands, or what the last one found. */
  get inWords(): string {
    const page = this.#page;
    const found = `${this.identities.toLocaleString('en-US')} in the snapshot, ${this.changes.toLocaleString('en-US')} changes`;
    return page === undefined ? found : `${found}; page ${page.of - page.page + 1} of ${page.of}`;
  }
}
