import type { RowKey } from '../ports.ts';
import type { IdentityEnvironment } from './identity.ts';

/** The row that a sync of one environment keeps. */
export function streamOf(environment: IdentityEnvironment): string {
  return `identities.${environment}`;
}

/** Names the private objects of one walk, all of them write-once: `walks/org=…/env=…/<epoch>-<walk, 6 digits>/…`. */
export class WalkKeys {
  private readonly folder: string;

  constructor(row: RowKey & { readonly epoch: string }, walk: number) {
    const environment = row.stream.split('.')[1] ?? '';
    this.folder = `walks/org=${row.org}/env=${environment}/${row.epoch}-${String(walk).padStart(6, '0')}`;
  }

  get plan(): string {
    return `${this.folder}/plan.json`;
  }

  part(partition: number, flush: number): string {
    return `${this.folder}/part-${partition}-${flush}.ndjson.gz`;
  }

  snapshot(partition: number): string {
    return `${this.folder}/snapshot-${partition}.ndjson.gz`;
  }
}
