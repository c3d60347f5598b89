import { createRandom, mixSeeds, type Random } from '../random.ts';
import { type NamedPerson, numberedPerson } from '../traffic-cast.ts';
import { authoritiesOf } from './authorities.ts';
import { hostedCollection } from './hosted.ts';
import type { Organization } from './permissions.ts';
import type { NewIdentity, Place, StoredCollection } from './record.ts';

export interface SeedSource {
  readonly organization: Organization;
  readonly environment: Place['environment'];
  readonly count: number;
  readonly seed: number;
  /** Number of the first person: those before it are there already. */
  readonly first: number;
  /** Where the numbers begin that authorities give out: those before it were given to others. */
  readonly serial: number;
  /** Epoch ms: nobody is created before. */
  readonly fromMs: number;
  /** Epoch ms: nothing has happened after it. */
  readonly toMs: number;
}

type Some<T> = readonly [T, ...T[]];

const DEPARTMENTS: Some<string> = [
  'biology',
  'chemistry',
  'history',
  'law',
  'library',
  'medicine',
  'physics',
];
const ROLES: Some<string> = ['faculty', 'staff', 'affiliate'];
const PROGRAMMES: Some<string> = ['bachelor', 'master', 'doctorate', 'exchange'];
const ENTITLEMENTS: Some<string> = ['vpn', 'print', 'lab', 'archive', 'travel', 'payroll'];

/** Moments on which many were created at once, as an import does: more than a page of them. */
const LONGEST_IMPORT = 120;

/**
 * Invent identities in order of creation: the same source gives the same ones. The first 1,600 people are those of the
 * sign-in traffic. Some were created in the same millisecond, some share an address, some hold no collection.
 */
export function* inventIdentities(source: SeedSource): Generator<NewIdentity> {
  const { organization, environment, count, seed, first, serial, fromMs, toMs } = source;
  const random = createRandom(mixSeeds(seed, environment === 'test' ? 1 : 2));
  const stepMs = (toMs - fromMs) / Math.max(1, count);
  let createdMs = fromMs;
  let imported = 0;
  let mail = '';
  for (let index = 0; index < count; index += 1) {
    if (imported > 0) imported -= 1;
    else {
      createdMs = Math.floor(fromMs + (index + random.next()) * stepMs);
      if (random.chance(0.004)) imported = random.whole(1, LONGEST_IMPORT - 1);
    }
    const person = numberedPerson(first + index, organization.orgDomain);
    const shared = mail !== '' && random.chance(0.01);
    if (!shared) mail = person.mail;
    const updatedMs = random.chance(0.4) ? random.whole(createdMs, toMs) : createdMs;
    const number = String(serial + index).padStart(8, '0');
    const maker = { random, organization, person, number, createdMs, toMs };
    yield {
      orgUrl: organization.orgUrl,
      environment,
      uid: random.uuid(),
      mail,
      givenName: person.givenName,
      sn: person.sn,
      createdMs,
      updatedMs,
      collections: random.chance(0.05) ? [] : someCollections(maker, !shared),
    };
  }
}

interface Maker {
  readonly random: Random;
  readonly organization: Organization;
  readonly person: NamedPerson;
  readonly number: string;
  readonly createdMs: number;
  readonly toMs: number;
}

function someCollections(maker: Maker, mayHaveAccount: boolean): StoredCollection[] {
  const { random } = maker;
  return [
    ...(random.chance(0.75) ? [personnelCollection(maker)] : []),
    ...(random.chance(0.3) ? [studentCollection(maker)] : []),
    ...(random.chance(0.35) ? [gatewayCollection(maker)] : []),
    ...(mayHaveAccount && random.chance(0.25) ? [account(maker)] : []),
    ...(random.chance(0.05) ? [remoteCollection(maker)] : []),
  ];
}

/** What the personnel system says of somebody. */
function personnelCollection({ random, organization, person, number, createdMs }: Maker): StoredCollection {
  return {
    ...linked(authoritiesOf(organization.orgUrl).personnel, `e${number}`, createdMs),
    attributes: {
      uid: [person.uid],
      eduPersonPrincipalName: [person.eppn],
      mail: [person.mail],
      displayName: [`${person.givenName} ${person.sn}`],
      department: [random.pick(DEPARTMENTS)],
      eduPersonAffiliation: ['member', random.pick(ROLES)],
      entitlement: ENTITLEMENTS.filter(() => random.chance(0.3)),
    },
  };
}

function studentCollection({ random, organization, person, number, createdMs }: Maker): StoredCollection {
  return {
    ...linked(authoritiesOf(organization.orgUrl).students, `s${number}`, createdMs),
    attributes: {
      mail: [person.mail],
      programme: [random.pick(PROGRAMMES)],
      startYear: [String(random.whole(2018, 2025))],
    },
  };
}

function remoteCollection({ organization, number, createdMs }: Maker): StoredCollection {
  const authority = authoritiesOf(organization.orgUrl).remote;
  return { ...linked(authority, `r${number}`, createdMs), remote: true };
}

function gatewayCollection(maker: Maker): StoredCollection {
  const { random, organization, person, createdMs } = maker;
  const authority = random.pick(authoritiesOf(organization.orgUrl).gateways);
  return {
    ...linked(authority, random.hex(20), createdMs),
    type: 'gateway',
    attributes: { displayName: [`${person.givenName} ${person.sn}`], email: [person.mail] },
    usedMs: lastUse(maker),
  };
}

function account(maker: Maker): StoredCollection {
  const { random, organization, person, createdMs } = maker;
  const { givenName, sn: surname, mail: email } = person;
  const made = { ...organization, givenName, surname, email, uuid: random.uuid(), atMs: createdMs };
  return { ...hostedCollection(made), usedMs: lastUse(maker) };
}

/** Some never came back. */
function lastUse({ random, createdMs, toMs }: Maker): number | null {
  return random.chance(0.8) ? random.whole(createdMs, toMs) : null;
}

function linked(authority: string, uid: string, atMs: number): StoredCollection {
  const times = { createdMs: atMs, updatedMs: atMs, usedMs: null };
  return { authority, uid, type: 'sor', remote: false, attributes: {}, ...times };
}

/** Another department than the one somebody is in. */
export function otherDepartment(random: Random, present: string | undefined): string {
  const others = DEPARTMENTS.filter((each) => each !== present);
  return random.pick([others[0] ?? DEPARTMENTS[0], ...others.slice(1)]);
}
