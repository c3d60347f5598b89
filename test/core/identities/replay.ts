import type { FeedEvent } from '../../../functions/core/identities/feed.ts';
import type { AttributeCollection, Identity } from '../../../functions/core/identities/identity.ts';
import { inHashOrder } from '../../../functions/core/identities/partitions.ts';

/**
 * What a consumer makes of the feed: a snapshot brought up to date by the lines after it.
 * @throws Error for a line that tells nothing new, or of what is not there
 */
export function replay(snapshot: readonly Identity[], events: readonly FeedEvent[]): readonly Identity[] {
  const identities = new Map(snapshot.map((identity) => [identity.serviceUid, identity]));
  for (const { action, serviceUid, identity, collection } of events) {
    const known = identities.get(serviceUid);
    const held = known?.attributeCollections?.some((one) => collection && isSame(one, collection)) ?? false;
    const isNews = action === 'identity.created' ? !known : action === 'collection.linked' ? !held : known;
    const hasIt = collection === undefined || action === 'collection.linked' || held;
    if (!isNews || !hasIt) throw new Error(`false: ${action} of ${serviceUid}`);
    const others = (known?.attributeCollections ?? []).filter(
      (one) => !collection || !isSame(one, collection),
    );
    const has = collection && action !== 'collection.unlinked' ? [...others, collection] : others;
    if (action === 'identity.removed') identities.delete(serviceUid);
    else identities.set(serviceUid, { ...identity, attributeCollections: has });
  }
  return inHashOrder(identities.values());
}

function isSame(a: AttributeCollection, b: AttributeCollection): boolean {
  return a.attributeCollectionAuthority === b.attributeCollectionAuthority && a.uid === b.uid;
}

/** An identity with the collections of some authorities, in one order. */
export function restricted(identity: Identity, authorities: readonly string[]): Identity {
  const { attributeCollections, ...base } = identity;
  const kept = (attributeCollections ?? []).filter((one) =>
    authorities.includes(one.attributeCollectionAuthority),
  );
  const name = (one: (typeof kept)[number]) => `${one.attributeCollectionAuthority}\u0000${one.uid}`;
  return { ...base, attributeCollections: kept.sort((a, b) => (name(a) < name(b) ? -1 : 1)) };
}

/** Less what no event tells of: `lastUpdateTime` alone is no change. */
export function comparable(identity: Identity, authorities: readonly string[]): string {
  const { attributeCollections, lastUpdateTime: _, ...base } = restricted(identity, authorities);
  const collections = attributeCollections?.map(({ lastUpdateTime: __, ...one }) => one);
  return JSON.stringify({ ...base, collections });
}
