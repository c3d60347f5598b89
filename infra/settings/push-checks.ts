import type { Fault } from './faults.ts';
import { MEMBERS_OF_KIND } from './push.ts';

/** As much of a destination as can be read. */
type ReadableDestination = Readonly<Record<string, unknown>>;

/** What `kind`, `delivery` and `push` of a destination must agree on. */
export function pushFaults(destinations: readonly ReadableDestination[]): Fault[] {
  return destinations.flatMap((destination, index) =>
    faultsOf(destination).map(({ path, expected }) => ({ path: ['destinations', index, ...path], expected })),
  );
}

function faultsOf({ kind, delivery, push, consumer }: ReadableDestination): Fault[] {
  if (delivery !== 'push') {
    if (push === undefined) return [];
    return [{ path: ['push'], expected: 'expected none: it is for delivery "push"' }];
  }
  const faults: Fault[] = [];
  if (consumer !== undefined) {
    const expected = 'expected none: with delivery "push" orglog sends, and nobody else reads the queue';
    faults.push({ path: ['consumer'], expected });
  }
  if (kind === 'other') {
    const expected = 'expected "splunk" or "elastic": orglog cannot push to others; they pull';
    return [...faults, { path: ['kind'], expected }];
  }
  if (push === undefined) {
    return [...faults, { path: ['push'], expected: 'expected where to send to, an object with url' }];
  }
  return [...faults, ...membersOfOthers(kind, push)];
}

/** A setting that the kind has no use for would be a silent mistake. */
function membersOfOthers(kind: unknown, push: unknown): Fault[] {
  if (typeof push !== 'object' || push === null) return [];
  return Object.entries(MEMBERS_OF_KIND).flatMap(([owner, members]) =>
    owner === kind || (kind !== 'splunk' && kind !== 'elastic')
      ? []
      : members
          .filter((member) => member in push)
          .map((member) => ({
            path: ['push', member],
            expected: `expected none: it is for kind "${owner}"`,
          })),
  );
}
