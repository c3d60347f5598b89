import * as z from 'zod';
import { strict, text } from './forms.ts';
import { AN_ID, ID } from './identifiers.ts';
import { IDENTITY_FUNCTIONS_PER_STACK, LONGEST_WALK_PERIOD_HOURS } from './limits.ts';
import type { OrganizationSettings } from './schema.ts';

const MAX_NAMES = 20;

const authority = text(/^[!-~]{1,200}$/, 'expected an authority: 1 to 200 printable characters, no spaces');

const redacted = text(
  /^(?!(?:serviceUid|createTime|lastUpdateTime)$)[!-~]{1,100}$/,
  'expected mail, givenName, sn or the key of an attribute, no identifier and no time: 1 to 100 printable characters, no spaces',
);

const HOURS = `expected a whole number of hours, 1 to ${LONGEST_WALK_PERIOD_HOURS}`;
const STACK = "expected an identity stack's number, 1 to 999";

/** Which identity records of an organization are followed, and how. Absent: none. */
export const identities = strict('which identity records to follow', {
  environments: distinct(
    z.enum(['test', 'prod'], 'expected "test" or "prod"'),
    'expected a list of "test", "prod" or both',
  )
    .min(1, 'expected "test", "prod" or both; without identity records, leave identities out')
    .meta({ description: 'Whose records are walked: each environment by a function of its own.' }),
  everyHours: z
    .int(HOURS)
    .min(1, HOURS)
    .max(LONGEST_WALK_PERIOD_HOURS, HOURS)
    .default(24)
    .meta({ description: 'Hours from the start of one walk over all records to the start of the next.' }),
  authorities: distinct(authority, 'expected a list of authorities')
    .max(MAX_NAMES, `expected at most ${MAX_NAMES} authorities`)
    .optional()
    .meta({
      description:
        "Whose attribute collections are read; [] for none. Default: those that the credential's permissions name.",
    }),
  redact: distinct(redacted, 'expected a list of names')
    .max(MAX_NAMES, `expected at most ${MAX_NAMES} names`)
    .default([])
    .meta({
      description:
        'mail, givenName, sn and keys of attributes whose values leave as pseudonyms only, the same for the same value.',
    }),
  snapshots: z.enum(['first', 'every'], 'expected "first" or "every"').default('first').meta({
    description:
      'Which walks announce every record: the first only (then changes), or each. It costs SIEM licence.',
  }),
  credential: text(ID, `expected a shared credential's name: ${AN_ID}`).optional().meta({
    description:
      'A shared credential, such as the one that reads the log. Default: one of its own for the identity records.',
  }),
  uidField: text(/^[A-Za-z]\w{0,62}$/, 'expected the name of a field, such as "serviceUid"')
    .default('serviceUid')
    .meta({ description: "What the provider calls an identity's identifier. Default: serviceUid." }),
  stack: z
    .int(STACK)
    .min(1, STACK)
    .max(999, STACK)
    .default(1)
    .meta({
      description: `Which identity stack its functions live in; at most ${IDENTITY_FUNCTIONS_PER_STACK} in each, one per environment.`,
    }),
});

export type IdentitySettings = z.output<typeof identities>;

/** An organization whose identity records are followed. */
export type IdentityOrganization = OrganizationSettings & { readonly identities: IdentitySettings };

export function hasIdentities(organization: OrganizationSettings): organization is IdentityOrganization {
  return organization.identities !== undefined;
}

/** A list without repeats. */
function distinct<S extends z.ZodType>(item: S, expected: string) {
  return z
    .array(item, expected)
    .refine((items) => new Set(items).size === items.length, `${expected}, each once`)
    .meta({ uniqueItems: true });
}
