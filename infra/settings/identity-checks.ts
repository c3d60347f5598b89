import { IDENTITY_ALARMS } from './alarm-names.ts';
import type { Fault, Path } from './faults.ts';
import { IDENTITY_FUNCTIONS_PER_STACK, MAX_IDENTITY_NAMES_CHARACTERS } from './limits.ts';

type Readable = Readonly<Record<string, unknown>>;

/** As much of an organization's `identities` as can be read. */
interface Found {
  readonly index: number;
  readonly id: unknown;
  readonly environments: readonly unknown[];
  readonly members: Readable;
}

/** What the organizations' `identities`, and the alarms left out, must agree on. */
export function identityFaults(organizations: readonly Readable[], omit: readonly Readable[]): Fault[] {
  const found = organizations.flatMap(({ id, identities }, index): Found[] => {
    if (typeof identities !== 'object' || identities === null) return [];
    const members = identities as Readable;
    const { environments } = members;
    return [{ index, id, members, environments: Array.isArray(environments) ? environments : [] }];
  });
  return [...sameRecords(found), ...longNames(found), ...fullStacks(found), ...pointless(found, omit)];
}

function pathOf({ index }: Found, member: string): Path {
  return ['organizations', index, 'identities', member];
}

/** A credential is of one organization at the provider: with the same one, the same records would arrive twice. */
function sameRecords(found: readonly Found[]): Fault[] {
  const seen = new Map<string, number>();
  return found.flatMap((one): Fault[] => {
    const { credential } = one.members;
    if (typeof credential !== 'string') return [];
    const keys = one.environments.map((environment) => `${credential}/${String(environment)}`);
    const first = keys.map((key) => seen.get(key)).find((index) => index !== undefined);
    for (const key of keys) if (!seen.has(key)) seen.set(key, one.index);
    if (first === undefined) return [];
    const expected = `expected another credential or another environment: with this one, organizations[${first}] reads the same records`;
    return [{ path: pathOf(one, 'credential'), expected }];
  });
}

function longNames(found: readonly Found[]): Fault[] {
  return found.flatMap((one) => {
    const { authorities, redact } = one.members;
    const characters = JSON.stringify([authorities ?? [], redact ?? []]).length;
    if (characters <= MAX_IDENTITY_NAMES_CHARACTERS) return [];
    const longest = JSON.stringify(authorities ?? []).length > characters / 2 ? 'authorities' : 'redact';
    const expected = `expected authorities and redact of together at most ${MAX_IDENTITY_NAMES_CHARACTERS} characters, as they have ${characters}: a function is told all of them in its environment, which has 4 KB`;
    return [{ path: pathOf(one, longest), expected }];
  });
}

/** Told once per stack, at the first that finds no room. */
function fullStacks(found: readonly Found[]): Fault[] {
  const functions = new Map<number, number>();
  const firstOut = new Map<number, Found>();
  for (const one of found) {
    const { stack = 1 } = one.members;
    if (typeof stack !== 'number') continue;
    const total = (functions.get(stack) ?? 0) + one.environments.length;
    functions.set(stack, total);
    if (total > IDENTITY_FUNCTIONS_PER_STACK && !firstOut.has(stack)) firstOut.set(stack, one);
  }
  let next = 1;
  // Room for both environments of at least one organization.
  while ((functions.get(next) ?? 0) > IDENTITY_FUNCTIONS_PER_STACK - 2) next += 1;
  return [...firstOut].map(([stack, one]) => ({
    path: pathOf(one, 'stack'),
    expected: `expected at most ${IDENTITY_FUNCTIONS_PER_STACK} functions in identity stack ${stack}, where each environment of an organization is one, and it has ${functions.get(stack)}: write "stack": ${next} in identities here and after, as far as there is room (leave the others where they are)`,
  }));
}

/** An omission that would leave nothing out. */
function pointless(found: readonly Found[], omit: readonly Readable[]): Fault[] {
  return omit.flatMap(({ alarm, organization, destination, environment }, index): Fault[] => {
    const path = (member: string): Path => ['alarms', 'omit', index, member];
    if (!IDENTITY_ALARMS.some((one) => one === alarm)) {
      if (environment === undefined) return [];
      const expected = `expected none: ${String(alarm)} is no alarm of identity records`;
      return [{ path: path('environment'), expected }];
    }
    if (destination !== undefined) {
      const expected = `expected none: ${String(alarm)} is an alarm of each organization with identities`;
      return [{ path: path('destination'), expected }];
    }
    const meant = found.filter(({ id }) => organization === undefined || id === organization);
    if (organization !== undefined && meant.length === 0) {
      const expected = 'expected an organization with identities: others have no such alarm';
      return [{ path: path('organization'), expected }];
    }
    if (environment !== undefined && !meant.some(({ environments }) => environments.includes(environment))) {
      const expected = 'expected an environment that is among its identities';
      return [{ path: path('environment'), expected }];
    }
    return [];
  });
}
