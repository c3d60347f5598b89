import type { FieldChange } from './feed.ts';
import type { AttributeCollection, Identity } from './identity.ts';
import { compare } from './partitions.ts';
import { isSameTime } from './times.ts';

/** Every identity has them: absent and null are one. */
const KNOWN = ['mail', 'givenName', 'sn'];
/** What says which record it is, what changes with every change, and what is compared by itself. */
const IDENTITY_APART = new Set(['serviceUid', 'lastUpdateTime', 'attributeCollections', ...KNOWN]);
const COLLECTION_APART = new Set([
  'attributeCollectionAuthority',
  'uid',
  'lastUpdateTime',
  'credentialLastUsed',
  'attributes',
]);

type Members = Readonly<Record<string, unknown>>;

/** What differs in an identity itself, by member; names in `unlike` are not compared. */
export function identityChanges(
  before: Identity,
  now: Identity,
  unlike: ReadonlySet<string>,
): readonly FieldChange[] {
  const [was, is] = [before, now] as unknown as [Members, Members];
  return changes(was, is, [...KNOWN, ...shared(was, is, IDENTITY_APART)], unlike);
}

/** What differs in a collection, by member, its attributes one by one. */
export function collectionChanges(
  before: AttributeCollection,
  now: AttributeCollection,
  unlike: ReadonlySet<string>,
): readonly FieldChange[] {
  const [was, is] = [before, now] as unknown as [Members, Members];
  const [had, has] = [before.attributes ?? {}, now.attributes ?? {}];
  const names = [...new Set([...Object.keys(had), ...Object.keys(has)])].sort(compare);
  return [
    ...changes(was, is, shared(was, is, COLLECTION_APART), new Set()),
    ...changes(had, has, names, unlike).map((change) => ({
      ...change,
      field: `attributes.${change.field}`,
    })),
  ];
}

/**
 * Members that the document does not know are compared only where both records have them: which of them a record comes
 * with can depend on the operation that returned it.
 */
function shared(was: Members, is: Members, apart: ReadonlySet<string>): readonly string[] {
  return Object.keys(is)
    .filter((name) => Object.hasOwn(was, name) && !apart.has(name))
    .sort(compare);
}

function changes(
  was: Members,
  is: Members,
  names: readonly string[],
  unlike: ReadonlySet<string>,
): readonly FieldChange[] {
  return names.flatMap((field) => {
    const from = own(was, field);
    const to = own(is, field);
    if (unlike.has(field) || canonical(from) === canonical(to)) return [];
    // An attribute of that name holds a list.
    const areTimes = field === 'createTime' && typeof from === 'string' && typeof to === 'string';
    if (areTimes && isSameTime(from, to)) return [];
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });
}

function own(record: Members, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}

/**
 * A text that is equal for values that mean the same. Values of an attribute are a set (as in LDAP, where they come
 * from): another order is no change.
 */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort(compare).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const members = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}
