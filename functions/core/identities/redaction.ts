import type { AttributeCollection, Identity } from './identity.ts';

/** Members that say which record it is and when it changed: without them there is nothing to compare. */
const NEVER = new Set(['serviceUid', 'createTime', 'lastUpdateTime', 'attributeCollections']);

/** Makes identities into what may leave: the values of the named members and attributes become pseudonyms. */
export function redactor(
  names: readonly string[],
  pseudonym: (value: string) => string,
): (identity: Identity) => Identity {
  const named = new Set(names.filter((name) => !NEVER.has(name)));
  if (named.size === 0) return (identity) => identity;

  function value(given: unknown): unknown {
    if (given === null || given === undefined) return given;
    if (Array.isArray(given)) return given.map(value);
    return pseudonym(typeof given === 'string' ? given : JSON.stringify(given));
  }

  function members<T extends object>(record: T): T {
    return Object.fromEntries(
      Object.entries(record).map(([name, given]) => [name, named.has(name) ? value(given) : given]),
    ) as T;
  }

  function collection(given: AttributeCollection): AttributeCollection {
    return given.attributes ? { ...given, attributes: members(given.attributes) } : given;
  }

  return (identity) => {
    const { attributeCollections, ...base } = identity;
    const redacted = members(base);
    return attributeCollections
      ? { ...redacted, attributeCollections: attributeCollections.map(collection) }
      : redacted;
  };
}
