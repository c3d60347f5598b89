import type { Confirmation } from './confirm.ts';
import { collectionName } from './diff.ts';
import type { Gathering } from './gathering.ts';
import type { AttributeCollection, Identity } from './identity.ts';
import { inScope } from './scope.ts';

/** An identity of the last snapshot that the lists lack, or some of whose collections they lack. */
export interface Lost {
  readonly before: Identity;
  readonly itself: boolean;
  /** Of the walk's authorities only: who was not asked about is not lost. */
  readonly collections: readonly AttributeCollection[];
}

export interface MergeRules {
  /** The walk's. */
  readonly authorities: ReadonlySet<string>;
  /** As a scope's. */
  readonly hosted: boolean;
  /** Makes a record of the last snapshot into one of this: with what is redacted now and was not then. */
  readonly carried: (before: Identity) => Identity;
  /** Makes a fetched record into one of this snapshot; absent where pseudonyms come out otherwise than this walk's. */
  readonly fetched?: ((identity: Identity) => Identity) | undefined;
}

/** What of the last snapshot is not in the lists: gone, or shifted past a page while they were read. */
export function lostSince(
  before: readonly Identity[],
  gathering: Gathering,
  scope: Pick<MergeRules, 'authorities' | 'hosted'>,
): readonly Lost[] {
  return before.flatMap((identity) => {
    const { itself, collections } = gathering.lacks(identity);
    const asked = inScope(collections, scope);
    return itself || asked.length > 0 ? [{ before: identity, itself, collections: asked }] : [];
  });
}

/**
 * Settle what was lost by what the provider says of it: gone where it says so, else kept.
 *
 * @returns how many stay as they were because it said nothing
 */
export function restore(
  lost: readonly Lost[],
  { answers }: Confirmation,
  gathering: Gathering,
  rules: MergeRules,
): number {
  let unconfirmed = 0;
  for (const one of lost) {
    const { serviceUid } = one.before;
    const answer = answers.get(serviceUid);
    if (answer === undefined && answers.has(serviceUid)) gathering.remove(serviceUid);
    else if (!answer?.attributeCollections) {
      if (answer === undefined || one.collections.length > 0) unconfirmed++;
      carry(one, one.collections, answer, gathering, rules);
    } else if (one.itself && rules.fetched) {
      const fetched = rules.fetched(answer);
      const all = { authorities: rules.authorities, hosted: true };
      gathering.keep(fetched, inScope(fetched.attributeCollections ?? [], all));
    } else {
      const has = new Set(answer.attributeCollections.map(collectionName));
      const still = one.collections.filter((collection) => has.has(collectionName(collection)));
      carry(one, still, answer, gathering, rules);
    }
  }
  return unconfirmed;
}

/** Keep it, with some of its collections, as it was; itself as it was fetched where that can be. */
function carry(
  { before }: Lost,
  collections: readonly AttributeCollection[],
  answer: Identity | undefined,
  gathering: Gathering,
  { carried, fetched }: MergeRules,
): void {
  const kept = carried({ ...before, attributeCollections: collections });
  gathering.keep(answer && fetched ? fetched(answer) : kept, kept.attributeCollections ?? []);
}
