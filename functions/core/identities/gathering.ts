import { collectionName } from './diff.ts';
import type { AttributeCollection, Identity, IdentityBase } from './identity.ts';
import { inHashOrder } from './partitions.ts';
import type { PartLine } from './window.ts';

interface Gathered {
  base: IdentityBase;
  /** Whether it is as the plain list shows it: other operations may return other members. */
  plain: boolean;
  readonly collections: Map<string, AttributeCollection>;
}

/** One partition of a snapshot in the making: what the lists said of each identity, joined. */
export class Gathering {
  private readonly identities = new Map<string, Gathered>();

  /** Take a line; of two of the same kind the later one holds. */
  add({ list, identity }: PartLine): void {
    const { attributeCollections, ...base } = identity;
    const known = this.identities.get(identity.serviceUid);
    const plain = list === 0;
    if (known === undefined) {
      this.identities.set(identity.serviceUid, { base, plain, collections: named(attributeCollections) });
      return;
    }
    if (plain || !known.plain) known.base = base;
    known.plain ||= plain;
    for (const [name, collection] of named(attributeCollections)) known.collections.set(name, collection);
  }

  /** Which of an identity's collections are not here: all of them where it is not here itself. */
  lacks(identity: Identity): {
    readonly itself: boolean;
    readonly collections: readonly AttributeCollection[];
  } {
    const known = this.identities.get(identity.serviceUid);
    const collections = identity.attributeCollections ?? [];
    return {
      itself: known === undefined,
      collections: collections.filter((collection) => !known?.collections.has(collectionName(collection))),
    };
  }

  /** Add an identity that no list had, or collections to one that they had. */
  keep(identity: Identity, collections: readonly AttributeCollection[]): void {
    const { attributeCollections: _, ...base } = identity;
    const known = this.identities.get(identity.serviceUid) ?? { base, plain: true, collections: named([]) };
    for (const [name, collection] of named(collections)) known.collections.set(name, collection);
    this.identities.set(identity.serviceUid, known);
  }

  remove(serviceUid: string): void {
    this.identities.delete(serviceUid);
  }

  /** The partition as it is put, by hash and identifier. */
  snapshot(): readonly Identity[] {
    const identities = Array.from(this.identities.values(), ({ base, collections }) => ({
      ...base,
      attributeCollections: [...collections.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, collection]) => collection),
    }));
    return inHashOrder(identities);
  }
}

function named(collections: Identity['attributeCollections']): Map<string, AttributeCollection> {
  return new Map(collections?.map((collection) => [collectionName(collection), collection]));
}
