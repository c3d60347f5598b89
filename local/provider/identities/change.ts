import { createRandom, mixSeeds, type Random } from '../random.ts';
import { type NamedPerson, numberedPerson, someAddress } from '../traffic-cast.ts';
import { authoritiesOf } from './authorities.ts';
import type { ModifyInput } from './checks.ts';
import type { Occasion } from './events.ts';
import type { Organization } from './permissions.ts';
import type { Place, StoredCollection, StoredIdentity } from './record.ts';
import type { IdentityRecords } from './records.ts';
import { otherDepartment } from './seed.ts';
import type { IdentityStore } from './store.ts';

/** One thing that was done to an identity. */
export interface IdentityChange {
  readonly kind: 'created' | 'modified' | 'linked' | 'attributes' | 'unlinked' | 'used' | 'removed';
  readonly serviceUid: string;
  /** Of `linked`, `attributes`, `unlinked` and `used`: the collection. */
  readonly authority?: string;
  readonly uid?: string;
}

export interface ChangeSource {
  readonly store: IdentityStore;
  readonly records: IdentityRecords;
  readonly organization: Organization;
  readonly environment: Place['environment'];
  readonly count: number;
  readonly seed: number;
  /** Epoch ms: when all of it happens. */
  readonly atMs: number;
}

const WEIGHTS: readonly (readonly [kind: IdentityChange['kind'], weight: number])[] = [
  ['created', 15],
  ['modified', 20],
  ['linked', 15],
  ['attributes', 15],
  ['unlinked', 10],
  ['used', 15],
  ['removed', 10],
];

/** Make a seeded mix of changes: the same ones for the same records and seed. */
export function makeChanges(source: ChangeSource): IdentityChange[] {
  const random = createRandom(mixSeeds(source.seed, 3));
  const changes: IdentityChange[] = [];
  while (changes.length < source.count) {
    const occasion = { atMs: source.atMs, clientIP: someAddress(random), newUuid: random.uuid };
    const kind = someKind(random);
    const identity = kind === 'created' ? undefined : somebodyOf(source, random);
    const change =
      identity === undefined
        ? create(source, random, occasion)
        : apply(kind, identity, source, random, occasion);
    // Not everyone can be unlinked, or sign in: then something else happens to somebody else.
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

function someKind(random: Random): IdentityChange['kind'] {
  let at = random.next() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of WEIGHTS) {
    at -= weight;
    if (at < 0) return kind;
  }
  return 'modified';
}

function somebodyOf(source: ChangeSource, random: Random): StoredIdentity | undefined {
  const { store, organization, environment } = source;
  const place = { orgUrl: organization.orgUrl, environment };
  const row = random.whole(1, Math.max(1, store.highestRow));
  return store.atOrAfter(place, row) ?? store.atOrAfter(place, 1);
}

/** Somebody whose number no seeded person has: a seed's hosted credentials are for other addresses. */
function newcomer(random: Random, { orgDomain }: Organization): NamedPerson {
  return numberedPerson(random.whole(1_000_000_000, 0xffff_ffff), orgDomain);
}

function create(
  { records, organization, environment }: ChangeSource,
  random: Random,
  occasion: Occasion,
): IdentityChange {
  const person = newcomer(random, organization);
  const { personnel } = authoritiesOf(organization.orgUrl);
  const input = { attributeCollectionAuthority: personnel, uid: `e${random.hex(10)}` };
  const attributes = { mail: [person.mail], department: [otherDepartment(random, undefined)] };
  const created = records.create(
    environment,
    {
      mail: person.mail,
      givenName: person.givenName,
      sn: person.sn,
      obid: random.chance(0.3),
      quiet: random.chance(0.5),
      allowDuplicateEmail: true,
      attributeCollections: random.chance(0.8) ? [{ ...input, attributes }] : [],
    },
    occasion,
  );
  return { kind: 'created', serviceUid: created.uid };
}

function apply(
  kind: IdentityChange['kind'],
  identity: StoredIdentity,
  { records, organization }: ChangeSource,
  random: Random,
  occasion: Occasion,
): IdentityChange | undefined {
  const { personnel, students, remote } = authoritiesOf(organization.orgUrl);
  const { collections } = identity;
  const one = (fits: (each: StoredCollection) => boolean) => {
    const [first, ...rest] = collections.filter(fits);
    return first && random.pick([first, ...rest]);
  };
  const about = (collection: StoredCollection): IdentityChange => {
    const { authority, uid } = collection;
    return { kind, serviceUid: identity.uid, authority, uid };
  };
  switch (kind) {
    case 'modified': {
      const { givenName, sn, mail } = newcomer(random, organization);
      const input = random.pick<ModifyInput>([
        { givenName, allowDuplicateEmail: true },
        { sn, allowDuplicateEmail: true },
        { mail, allowDuplicateEmail: true },
        { mail, sn, allowDuplicateEmail: true },
      ]);
      records.modify(identity, input, occasion);
      return { kind, serviceUid: identity.uid };
    }
    case 'linked': {
      if (random.chance(0.3)) {
        return about(
          records.linkRemote(identity, { authority: remote, uid: `r${random.hex(10)}` }, occasion),
        );
      }
      const input = { attributeCollectionAuthority: students, uid: `s${random.hex(10)}` };
      const attributes = { programme: ['exchange'], startYear: ['2026'] };
      return about(records.link(identity, { ...input, attributes }, occasion));
    }
    case 'attributes': {
      const found = one(({ authority }) => authority === personnel);
      if (found === undefined) return undefined;
      const department = [otherDepartment(random, found.attributes.department?.[0])];
      const input = { attributeCollectionAuthority: personnel, uid: found.uid, attributes: { department } };
      return about(records.change(identity, input, random.chance(0.2), occasion));
    }
    case 'unlinked': {
      const found = one(() => true);
      if (found === undefined) return undefined;
      records.unlink(identity, found, found.remote, occasion);
      return about(found);
    }
    case 'used': {
      const found = one(({ type }) => type !== 'sor');
      if (found === undefined) return undefined;
      records.use(identity, found, occasion);
      return about(found);
    }
    default:
      records.remove(identity, occasion);
      return { kind: 'removed', serviceUid: identity.uid };
  }
}
