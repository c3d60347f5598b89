import { followed, manyOrganizations, organization } from './settings-fixture.ts';

const orgs = (...organizations: object[]) => ({ organizations });
const BOTH = { identities: { environments: ['test', 'prod'] } };

/** An alarm left out of one organization whose prod records are followed. */
const omitFollowed = (omission: object) => ({
  ...orgs(organization('a'), followed('b', { environments: ['prod'] })),
  alarms: { email: 'a@institution.edu', omit: [{ reason: 'nobody looks at it', ...omission }] },
});
/** As the table of bad-settings.ts: what is wrong about identity records. */
export const BAD_IDENTITIES: readonly [string, object, ...RegExp[]][] = [
  [
    'identity records of no environment',
    orgs(followed('a', { environments: [] })),
    /organizations\[0\]\.identities\.environments is \[\]: expected "test", "prod" or both/,
  ],
  [
    'identity records of an environment twice',
    orgs(followed('a', { environments: ['prod', 'prod'] })),
    /identities\.environments is \["prod","prod"\]: expected a list of .*, each once/,
  ],
  [
    'identity records of an unknown environment',
    orgs(followed('a', { environments: ['prod', 'stage'] })),
    /identities\.environments\[1\] is "stage": expected "test" or "prod"/,
  ],
  [
    'identity records, misspelt',
    orgs(followed('a', { every: 24 })),
    /organizations\[0\]\.identities\.every is 24: no such setting; expected one of environments, everyHours, /,
  ],
  [
    'a walk every fortnight',
    orgs(followed('a', { everyHours: 336 })),
    /identities\.everyHours is 336: expected a whole number of hours, 1 to 168/,
  ],
  [
    'a walk every half hour',
    orgs(followed('a', { everyHours: 0.5 })),
    /identities\.everyHours is 0\.5: expected a whole number of hours/,
  ],
  [
    'an authority that is none',
    orgs(followed('a', { authorities: ['two words'] })),
    /identities\.authorities\[0\] is "two words": expected an authority/,
  ],
  [
    'an identifier that is to be redacted',
    orgs(followed('a', { redact: ['mail', 'serviceUid'] })),
    /identities\.redact\[1\] is "serviceUid": expected mail, givenName, sn or the key of an attribute, no identifier/,
  ],
  [
    'a name redacted twice',
    orgs(followed('a', { redact: ['mail', 'mail'] })),
    /identities\.redact is \["mail","mail"\]: .*each once/,
  ],
  [
    'more authorities than an environment holds',
    orgs(
      followed('a', {
        authorities: Array.from({ length: 10 }, (_, n) => `https://${n}${'a'.repeat(150)}.edu/`),
      }),
    ),
    /identities\.authorities is \["https.*…: expected authorities and redact of together at most 1200 characters, as they have 1\d\d\d/,
  ],
  [
    'snapshots that are none',
    orgs(followed('a', { snapshots: 'never' })),
    /identities\.snapshots is "never": expected "first" or "every"/,
  ],
  [
    'a field of no name',
    orgs(followed('a', { uidField: 'service uid' })),
    /identities\.uidField is "service uid": expected the name of a field/,
  ],
  [
    'the same identity records twice',
    orgs(
      followed('a', { credential: 'shared', environments: ['test', 'prod'] }),
      followed('b', { credential: 'shared', environments: ['prod'] }),
    ),
    /organizations\[1\]\.identities\.credential is "shared": .*organizations\[0\] reads the same records/,
  ],
  [
    'forty organizations in one identity stack with both environments',
    orgs(...manyOrganizations(40).map((one) => ({ ...one, ...BOTH }))),
    /organizations\[22\]\.identities\.stack is missing: expected at most 44 functions in identity stack 1, .* it has 80: write "stack": 2 in identities/,
  ],
  [
    'an environment at an alarm of the log',
    omitFollowed({ alarm: 'lag', organization: 'b', environment: 'prod' }),
    /alarms\.omit\[0\]\.environment is "prod": expected none: lag is no alarm of identity records/,
  ],
  [
    'an alarm of identity records that are not followed',
    omitFollowed({ alarm: 'identities-stale', organization: 'a' }),
    /alarms\.omit\[0\]\.organization is "a": expected an organization with identities/,
  ],
  [
    'an alarm of an environment that is not followed',
    omitFollowed({ alarm: 'identities-stale', environment: 'test' }),
    /alarms\.omit\[0\]\.environment is "test": expected an environment that is among/,
  ],
];
