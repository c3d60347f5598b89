import type { Identity } from './identity.ts';
import type { AnsweredPage } from './page-reader.ts';
import { hashOf, partitionOf } from './partitions.ts';
import type { Plan } from './plan.ts';
import type { PageCursor } from './position.ts';

/** One line of a part: a record and the list it was read from. */
export interface PartLine {
  /** 0: the plain list; l > 0: authority l − 1 of the plan. */
  readonly list: number;
  readonly identity: Identity;
}

/** Some pages' records as lines, by partition: what one flush puts. */
export class Window {
  pages = 0;
  /** Of its lines. */
  characters = 0;
  /** Where reading goes on after them; absent when all lists are read. */
  next: PageCursor | undefined;
  private readonly plan: Plan;
  private readonly redact: (identity: Identity) => Identity;
  private readonly lines = new Map<number, string[]>();

  constructor(plan: Plan, redact: (identity: Identity) => Identity) {
    this.plan = plan;
    this.redact = redact;
  }

  /** Partition → its lines; partitions without any are left out. */
  get parts(): readonly (readonly [number, readonly string[]])[] {
    return [...this.lines];
  }

  take({ list, items, next }: AnsweredPage): void {
    const authority = this.plan.authorities[list - 1];
    for (const item of items) {
      const line: PartLine = { list, identity: this.redact(only(item, authority)) };
      const partition = partitionOf(hashOf(item.serviceUid), this.plan.partitions);
      const lines = this.lines.get(partition);
      const text = JSON.stringify(line);
      if (lines) lines.push(text);
      else this.lines.set(partition, [text]);
      this.characters += text.length;
    }
    this.pages++;
    this.next = next;
  }
}

/**
 * The record with its collections of one authority, or with none: what an identity happens to have besides is not all
 * that it has, and cannot be compared.
 */
export function only(item: Identity, authority: string | undefined): Identity {
  const { attributeCollections, ...base } = item;
  if (authority === undefined) return base;
  const kept = attributeCollections?.filter(
    (collection) => collection.attributeCollectionAuthority === authority,
  );
  return { ...base, attributeCollections: kept ?? [] };
}
