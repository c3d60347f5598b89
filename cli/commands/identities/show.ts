import type { LinkedCollection } from '../../../functions/core/identities/identities-api.ts';
import type {
  AttributeCollection,
  Identity,
  IdentityBase,
  IdentityPermissions,
} from '../../../functions/core/identities/identity.ts';
import { type Column, factLines, Table, type TableSpace } from '../../table.ts';

/** Where there is nothing to show. */
const NONE = '–';

type Fact = readonly [name: string, value: string | readonly string[]];

/** Everything about one identity. */
export function identityLines(identity: Identity, space: TableSpace): string[] {
  const collections = identity.attributeCollections ?? [];
  return [
    ...factLines(
      [
        ['serviceUid', identity.serviceUid],
        ['givenName', identity.givenName ?? NONE],
        ['sn', identity.sn ?? NONE],
        ['mail', identity.mail ?? NONE],
        ['created', identity.createTime],
        ['updated', identity.lastUpdateTime],
      ],
      space,
    ),
    ...collections.flatMap((collection) => ['', ...collectionLines(collection, space)]),
  ];
}

/** One collection, and whose it is. */
export function linkedLines(
  { serviceUid, attributeCollection }: LinkedCollection,
  space: TableSpace,
): string[] {
  return [
    ...factLines([['serviceUid', serviceUid]], space),
    '',
    ...collectionLines(attributeCollection, space),
  ];
}

function collectionLines(collection: AttributeCollection, space: TableSpace): string[] {
  const { attributeCollectionAuthority, attributeCollectionAuthorityType, uid, credentialLastUsed } =
    collection;
  const heads: Fact[] = [
    ['authority', `${attributeCollectionAuthority} (${attributeCollectionAuthorityType})`],
    ['uid', uid],
    ['created', collection.createTime],
    ['updated', collection.lastUpdateTime],
    ...(credentialLastUsed ? [['last used', credentialLastUsed] as const] : []),
  ];
  return factLines([...heads, ...attributeFacts(collection.attributes, '  ')], space);
}

/** Attributes by name, their values below each other. */
export function attributeFacts(attributes: AttributeCollection['attributes'], indent = ''): Fact[] {
  return Object.entries(attributes ?? {}).map(([name, values]) => [
    `${indent}${name}`,
    values.length === 0 ? NONE : values,
  ]);
}

/** What a credential may do. */
export function permissionLines(permissions: IdentityPermissions, space: TableSpace): string[] {
  const { username, orgDomain, environments, obid } = permissions;
  const list = (values: readonly string[]) => (values.length === 0 ? NONE : values.join(', '));
  const each = (values: readonly string[]) => (values.length === 0 ? NONE : values);
  return [
    ...factLines(
      [
        ['username', username],
        ['organization', orgDomain],
        ['hosted credentials', list(obid)],
      ],
      space,
    ),
    ...(['prod', 'test'] as const).flatMap((environment) => {
      const group = environments[environment];
      const facts: Fact[] =
        group === undefined
          ? [[environment, NONE]]
          : [
              [environment, list(group.permissions)],
              ['  authorities', each(group.attributeAuthorities)],
              ['  customer UID keys', each(group.customerUidKeys)],
            ];
      return ['', ...factLines(facts, space)];
    }),
  ];
}

/** A list of identities: page after page, in the same columns. */
export function identityTable(authority: string | undefined, space: TableSpace): Table<Identity> {
  const columns: Column<Identity>[] = [
    { head: 'serviceUid', of: ({ serviceUid }) => serviceUid, narrow: 'keep' },
    { head: 'name', of: nameOf, narrow: 'cut' },
    { head: 'mail', of: ({ mail }) => mail ?? NONE, narrow: 'cut' },
  ];
  if (authority !== undefined) {
    columns.push({ head: 'uid', of: (identity) => uidsAt(authority, identity), narrow: 'cut' });
  }
  return new Table(
    [
      ...columns,
      { head: 'created', of: ({ createTime }) => createTime.slice(0, 10), optional: true },
      { head: 'updated', of: ({ lastUpdateTime }) => lastUpdateTime.slice(0, 10), optional: true },
    ],
    space,
  );
}

/** An identity in a few words: `Ada Lovelace, ada@institution.edu`. */
export function inWords(identity: IdentityBase): string {
  return [nameOf(identity), identity.mail ?? ''].filter((part) => part !== '' && part !== NONE).join(', ');
}

function nameOf({ givenName, sn }: IdentityBase): string {
  return [givenName, sn].filter(Boolean).join(' ') || NONE;
}

function uidsAt(authority: string, { attributeCollections }: Identity): readonly string[] {
  const own = (attributeCollections ?? []).filter(
    ({ attributeCollectionAuthority }) => attributeCollectionAuthority === authority,
  );
  return own.length === 0 ? [NONE] : own.map(({ uid }) => uid);
}
