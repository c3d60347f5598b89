import * as z from 'zod';
import { DESTINATION_ALARMS, ORGANIZATION_ALARMS, PUSH_ALARMS } from './alarm-names.ts';
import type { Fault, Path } from './faults.ts';
import { identityFaults } from './identity-checks.ts';
import {
  MAX_SHARED_CREDENTIALS,
  MIN_ARCHIVE_DAYS,
  ORGANIZATIONS_PER_STACK,
  RECOMMENDED_MINUTES,
} from './limits.ts';
import { pushFaults } from './push-checks.ts';

/** As much of a file as can be read, whatever else is wrong with it: all faults are to be told at once. */
const item = z.record(z.string(), z.unknown()).catch({});
const list = z.array(item).catch([]);
const readable = z.object({
  organizations: list,
  destinations: list,
  retention: item,
  alarms: z.object({ omit: list }).catch({ omit: [] }),
});

type Readable = z.output<typeof readable>;

/** What one member alone cannot tell. */
export function crossFaults(file: unknown): Fault[] {
  const settings = readable.safeParse(file).data;
  if (settings === undefined) return [];
  return [
    ...repeated(settings.organizations, 'organizations'),
    ...repeated(settings.destinations, 'destinations'),
    ...sameLog(settings),
    ...tooFast(settings),
    ...fullStacks(settings),
    ...tooManyCredentials(settings),
    ...pushFaults(settings.destinations),
    ...identityFaults(settings.organizations, settings.alarms.omit),
    ...expiredBeforeMoved(settings),
    ...unknownOmissions(settings),
    ...pointlessOmissions(settings),
  ];
}

/** Positions of what occurs again, with the first position of the same. */
function repeats<T>(items: readonly T[], keyOf: (item: T) => string | undefined): [number, number][] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index): [number, number][] => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const first = seen.get(key);
    if (first !== undefined) return [[index, first]];
    seen.set(key, index);
    return [];
  });
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function repeated(items: Readable['organizations'], list: string): Fault[] {
  return repeats(items, ({ id }) => asText(id)).map(([index, first]) => ({
    path: [list, index, 'id'],
    expected: `expected an id of its own; ${list}[${first}] has the same`,
  }));
}

/** The same log read twice would arrive twice. */
function sameLog({ organizations }: Readable): Fault[] {
  const keyOf = ({ orgUrl, filters = {} }: Readable['organizations'][number]) => {
    if (typeof orgUrl !== 'string' || typeof filters !== 'object' || filters === null) return undefined;
    return JSON.stringify([orgUrl, ...Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))]);
  };
  return repeats(organizations, keyOf).map(([index, first]) => ({
    path: ['organizations', index, 'orgUrl'],
    expected: `expected another orgUrl or other filters; organizations[${first}] reads the same log`,
  }));
}

function tooFast({ organizations }: Readable): Fault[] {
  return organizations.flatMap(({ everyMinutes, allowFasterThanRecommended }, index) =>
    typeof everyMinutes === 'number' &&
    everyMinutes > 1 &&
    everyMinutes < RECOMMENDED_MINUTES &&
    allowFasterThanRecommended === undefined
      ? [
          {
            path: ['organizations', index, 'everyMinutes'],
            expected: `expected ${RECOMMENDED_MINUTES} or more: the provider recommends a delay of at least ${RECOMMENDED_MINUTES} minutes between retrievals once a response holds fewer events than asked for; where it agrees to less, say why in allowFasterThanRecommended`,
          },
        ]
      : [],
  );
}

/** Told once per stack, at the first that finds no room: a thousand organizations would else be a thousand faults. */
function fullStacks({ organizations }: Readable): Fault[] {
  const inStack = new Map<number, number[]>();
  organizations.forEach(({ stack = 1 }, index) => {
    if (typeof stack === 'number') inStack.set(stack, [...(inStack.get(stack) ?? []), index]);
  });
  let next = 1;
  while ((inStack.get(next)?.length ?? 0) >= ORGANIZATIONS_PER_STACK) next += 1;
  return [...inStack].flatMap(([stack, indexes]) => {
    const firstOut = indexes[ORGANIZATIONS_PER_STACK];
    if (firstOut === undefined) return [];
    return [
      {
        path: ['organizations', firstOut, 'stack'],
        expected: `expected at most ${ORGANIZATIONS_PER_STACK} organizations in stack ${stack}, which has ${indexes.length}: write "stack": ${next} here and after, as far as there is room (leave the others where they are)`,
      },
    ];
  });
}

function tooManyCredentials({ organizations }: Readable): Fault[] {
  const shared = new Set<string>();
  for (const [index, { credential, identities }] of organizations.entries()) {
    for (const name of [credential, item.parse(identities).credential]) {
      if (typeof name === 'string') shared.add(name);
    }
    if (shared.size > MAX_SHARED_CREDENTIALS) {
      const expected = `expected at most ${MAX_SHARED_CREDENTIALS} shared credentials: leave it out where only one organization uses it`;
      return [{ path: ['organizations', index, 'credential'], expected }];
    }
  }
  return [];
}

function expiredBeforeMoved({ retention: { archiveDays, infrequentAccessAfterDays } }: Readable): Fault[] {
  if (typeof archiveDays !== 'number' || typeof infrequentAccessAfterDays !== 'number') return [];
  if (archiveDays < MIN_ARCHIVE_DAYS || archiveDays > infrequentAccessAfterDays) return [];
  const expected = `expected more than infrequentAccessAfterDays (${infrequentAccessAfterDays}), or that one lowered or left out: nothing would ever move to cheaper storage`;
  return [{ path: ['retention', 'archiveDays'], expected }];
}

/** An organization has no queue to alarm about, a destination no log: such an omission would leave nothing out. */
function pointlessOmissions({ destinations, alarms: { omit } }: Readable): Fault[] {
  return omit.flatMap(({ alarm, organization, destination }, index): Fault[] => {
    const path = (member: string): Path => ['alarms', 'omit', index, member];
    const none = (whose: string) => `expected none: ${String(alarm)} is an alarm of each ${whose}`;
    const ofPush = PUSH_ALARMS.some((one) => one === alarm);
    if ((ofPush || DESTINATION_ALARMS.some((one) => one === alarm)) && organization !== undefined) {
      return [{ path: path('organization'), expected: none('destination') }];
    }
    const pulled = destinations.some(({ id, delivery }) => id === destination && delivery !== 'push');
    if (ofPush && pulled) {
      return [{ path: path('destination'), expected: none('destination with delivery "push"') }];
    }
    if (ORGANIZATION_ALARMS.some((one) => one === alarm) && destination !== undefined) {
      return [{ path: path('destination'), expected: none('organization') }];
    }
    return [];
  });
}

function unknownOmissions({ organizations, destinations, alarms: { omit } }: Readable): Fault[] {
  const check = (known: Readable['organizations'], member: 'organization' | 'destination'): Fault[] =>
    omit.flatMap((omission, index) => {
      const id = asText(omission[member]);
      if (id === undefined || known.some((item) => item.id === id)) return [];
      const path: Path = ['alarms', 'omit', index, member];
      return [{ path, expected: `expected an id that is among the ${member}s of this file` }];
    });
  return [...check(organizations, 'organization'), ...check(destinations, 'destination')];
}
