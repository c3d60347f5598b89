import type { AttributeCollection } from './identity.ts';
import type { Plan } from './plan.ts';

/** What of two snapshots can be compared. */
export interface Scope {
  /** In both plans: what was not asked for was not unlinked. */
  readonly authorities: ReadonlySet<string>;
  /**
   * False where only one of the two walks might read hosted credentials. Whether a list without that right is refused
   * or shows what is left is not documented: by what is not shown, nobody is unlinked.
   */
  readonly hosted: boolean;
  /** Members and attributes that the two snapshots spell differently, whether they changed or not. */
  readonly unlike: ReadonlySet<string>;
}

/**
 * The scope that two walks share. A name is unlike when it was redacted in one of them only, or in either under another
 * secret than the other's.
 */
export function sharedScope(before: Plan, now: Plan): Scope {
  const had = before.redaction.names;
  const has = now.redaction.names;
  const sameKey = before.redaction.pseudonymKeyId === now.redaction.pseudonymKeyId;
  const inBoth = new Set(sameKey ? had.filter((name) => has.includes(name)) : []);
  return {
    authorities: new Set(before.authorities.filter((authority) => now.authorities.includes(authority))),
    hosted: (before.hosted ?? now.hosted) === (now.hosted ?? before.hosted),
    unlike: new Set([...had, ...has].filter((name) => !inBoth.has(name))),
  };
}

/** Of collections those that two walks share. */
export function inScope(
  collections: readonly AttributeCollection[],
  { authorities, hosted }: Pick<Scope, 'authorities' | 'hosted'>,
): readonly AttributeCollection[] {
  return collections.filter(
    ({ attributeCollectionAuthority: authority, attributeCollectionAuthorityType: type }) =>
      authorities.has(authority) && (hosted || type !== 'obid'),
  );
}
