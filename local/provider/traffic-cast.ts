import type { Random } from './random.ts';

/** Who signs in: invented people at one organization. */
export interface Person {
  readonly uid: string;
  readonly eppn: string;
  readonly mail: string;
}

/** What they sign in to. */
export interface Application {
  readonly name: string;
  readonly entityId: string;
  readonly casService: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

type Some<T> = readonly [T, ...T[]];

// biome-ignore format: a table of names reads better in rows
const GIVEN: Some<string> = [
  'Amara', 'Anneke', 'Beatriz', 'Carlos', 'Chiara', 'Daniel', 'Elif', 'Emeka', 'Farida', 'Grace',
  'Hana', 'Hugo', 'Ines', 'Ivan', 'Jonas', 'Kavya', 'Kenji', 'Laila', 'Lucas', 'Maeve',
  'Malik', 'Mei', 'Nadia', 'Noah', 'Olena', 'Oscar', 'Priya', 'Rafael', 'Rosa', 'Samuel',
  'Sanna', 'Soren', 'Tariq', 'Thandi', 'Tomas', 'Uma', 'Viktor', 'Wanda', 'Yusuf', 'Zoe',
];
// biome-ignore format: a table of names reads better in rows
const FAMILY: Some<string> = [
  'Abara', 'Almeida', 'Andersen', 'Banerjee', 'Bauer', 'Brown', 'Castillo', 'Chen', 'Costa', 'Dubois',
  'Eriksen', 'Fischer', 'Garcia', 'Haddad', 'Hansen', 'Hughes', 'Ito', 'Jansen', 'Kaya', 'Khan',
  'Kowalski', 'Larsen', 'Lopez', 'Mensah', 'Miller', 'Moreau', 'Nakamura', 'Novak', 'Okafor', 'Olsen',
  'Park', 'Patel', 'Quinn', 'Rossi', 'Sato', 'Silva', 'Tanaka', 'Virtanen', 'Weber', 'Zhang',
];
// biome-ignore format: a table of names reads better in rows
const APPLICATIONS: Some<string> = [
  'library', 'courses', 'payroll', 'wiki', 'research', 'housing', 'registrar', 'tickets', 'calendar', 'travel',
];

const AGENTS: Some<string> = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
];

// Address blocks set aside for documentation (RFC 5737, RFC 3849).
const NETWORKS: Some<string> = ['192.0.2', '198.51.100', '203.0.113'];

/** One of 1,600 people. */
export function somebody(random: Random, orgDomain: string): Person {
  const given = random.pick(GIVEN);
  const family = random.pick(FAMILY);
  const uid = `${given.charAt(0)}${family}`.toLowerCase();
  return {
    uid,
    eppn: `${uid}@${orgDomain}`,
    mail: `${given}.${family}@${orgDomain}`.toLowerCase(),
  };
}

/** A person with the parts of the name. */
export interface NamedPerson extends Person {
  readonly givenName: string;
  readonly sn: string;
}

/** Everyone has a number: the first 1,600 are those who sign in; after them the same names come with a number. */
export function numberedPerson(number: number, orgDomain: string): NamedPerson {
  const givenName = GIVEN[number % GIVEN.length] ?? GIVEN[0];
  const sn = FAMILY[Math.floor(number / GIVEN.length) % FAMILY.length] ?? FAMILY[0];
  const round = Math.floor(number / (GIVEN.length * FAMILY.length));
  const suffix = round === 0 ? '' : String(round + 1);
  const uid = `${givenName.charAt(0)}${sn}${suffix}`.toLowerCase();
  return {
    givenName,
    sn,
    uid,
    eppn: `${uid}@${orgDomain}`,
    mail: `${givenName}.${sn}${suffix}@${orgDomain}`.toLowerCase(),
  };
}

export function someApplication(random: Random, orgDomain: string): Application {
  const name = random.pick(APPLICATIONS);
  const host = `https://${name}.${orgDomain}`;
  return {
    name,
    entityId: `${host}/saml/metadata`,
    casService: `${host}/login/cas?next=%2Fhome`,
    clientId: `${name}-web`,
    redirectUri: `${host}/oidc/callback`,
  };
}

export function someAddress(random: Random): string {
  if (random.chance(0.15)) return `2001:db8:${random.hex(4)}:${random.hex(4)}::${random.hex(4)}`;
  return `${random.pick(NETWORKS)}.${random.whole(1, 254)}`;
}

export function someAgent(random: Random): string {
  return random.pick(AGENTS);
}
