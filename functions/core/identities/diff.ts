import { collectionChanges, identityChanges } from './differences.ts';
import type { FeedAction, FeedEvent } from './feed.ts';
import type { AttributeCollection, Identity, IdentityBase } from './identity.ts';
import { compare, inHashOrder } from './partitions.ts';
import { inScope, type Scope } from './scope.ts';
import { isoTime, isSameTime } from './times.ts';

/** What every line of one walk's feed says. */
export interface FeedHead {
  readonly org: string;
  readonly environment: FeedEvent['environment'];
  readonly walk: number;
  readonly walkStartedAt: string;
}

export interface Comparison {
  readonly head: FeedHead;
  /** One partition of the last snapshot; absent where there is none to compare with: then all is announced whole. */
  readonly before?: readonly Identity[] | undefined;
  readonly now: readonly Identity[];
  readonly scope: Scope;
  /** Whether the snapshot is announced whole even so. */
  readonly whole: boolean;
}

/**
 * What happened between two snapshots: by hash and identifier; of one identity, its snapshot first, then itself, then
 * its collections by authority and uid. A pure function: whoever asks again gets the same lines.
 */
export function* diff({ head, before, now, scope, whole }: Comparison): Generator<FeedEvent> {
  const was = new Map(before?.map((identity) => [identity.serviceUid, identity]));
  const is = new Map(now.map((identity) => [identity.serviceUid, identity]));
  for (const { serviceUid } of inHashOrder(new Map([...was, ...is]).values())) {
    const old = was.get(serviceUid);
    const current = is.get(serviceUid);
    if (current === undefined) {
      if (old !== undefined) yield event(head, 'identity.removed', head.walkStartedAt, old);
      continue;
    }
    if (whole || before === undefined) yield snapshotOf(head, current);
    if (before === undefined) continue;
    if (old === undefined) yield event(head, 'identity.created', current.createTime, current);
    else yield* modified(head, old, current, scope);
    yield* collectionEvents(head, old, current, scope);
  }
}

function snapshotOf(head: FeedHead, current: Identity): FeedEvent {
  const { identity, ...rest } = event(head, 'identity.snapshot', head.walkStartedAt, current);
  const attributeCollections = current.attributeCollections ?? [];
  return { ...rest, identity: { ...identity, attributeCollections } };
}

function* modified(head: FeedHead, old: Identity, current: Identity, scope: Scope): Generator<FeedEvent> {
  const changes = identityChanges(old, current, scope.unlike);
  if (changes.length === 0) return;
  yield { ...event(head, 'identity.modified', current.lastUpdateTime, current), changes };
}

function* collectionEvents(
  head: FeedHead,
  old: Identity | undefined,
  current: Identity,
  scope: Scope,
): Generator<FeedEvent> {
  const had = sharedCollections(old, scope);
  const has = sharedCollections(current, scope);
  for (const name of [...new Map([...had, ...has]).keys()].sort(compare)) {
    const was = had.get(name);
    const is = has.get(name);
    if (is === undefined) {
      if (was) yield { ...event(head, 'collection.unlinked', head.walkStartedAt, current), collection: was };
    } else if (was === undefined) {
      yield { ...event(head, 'collection.linked', is.createTime, current), collection: is };
    } else {
      const changes = collectionChanges(was, is, scope.unlike);
      if (changes.length > 0) {
        const what = event(head, 'collection.modified', is.lastUpdateTime, current);
        yield { ...what, collection: is, changes };
      }
      const used = is.credentialLastUsed;
      if (used && !isSameTime(used, was.credentialLastUsed ?? '')) {
        yield { ...event(head, 'credential.used', used, current), collection: is };
      }
    }
  }
}

function sharedCollections(identity: Identity | undefined, scope: Scope): Map<string, AttributeCollection> {
  const collections = inScope(identity?.attributeCollections ?? [], scope);
  return new Map(collections.map((collection) => [collectionName(collection), collection]));
}

/** Tells the collections of an identity apart, and sorts by authority, then uid. */
export function collectionName(collection: AttributeCollection): string {
  return `${collection.attributeCollectionAuthority}\u0000${collection.uid}`;
}

function event(head: FeedHead, action: FeedAction, time: string, of: Identity): FeedEvent {
  const { attributeCollections: _, ...identity } = of;
  const timeStampISO = isoTime(time) ?? head.walkStartedAt;
  return { action, timeStampISO, ...head, serviceUid: of.serviceUid, identity: identity as IdentityBase };
}
