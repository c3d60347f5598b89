import * as z from 'zod';
import { ALARMS } from './alarm-names.ts';
import { absoluteUrl, providerUrl, strict, text } from './forms.ts';
import { A_NAME, AN_ID, ID, NAME } from './identifiers.ts';
import { identities } from './identities.ts';
import {
  LOG_DAYS,
  MAX_DESTINATIONS,
  MIN_ARCHIVE_DAYS,
  MIN_INFREQUENT_ACCESS_DAYS,
  ORGANIZATIONS_PER_STACK,
  PERIODS,
} from './limits.ts';
import { push } from './push.ts';

const id = (what: string) => text(ID, `expected ${what}: ${AN_ID}`);
const reason = (why: string) => text(/\S.{8,}/, `expected a reason of at least 10 characters: ${why}`);
const days = (low: number, why: string) =>
  z
    .int(`expected a whole number of days, ${low} or more${why}`)
    .min(low, `expected ${low} or more days${why}`);

const filter = () =>
  text(
    /^\S.{0,99}$/,
    'expected 1 to 100 characters: the value of this query parameter, such as "bridge"',
  ).optional();

const filters = strict('what to ask for', {
  service: filter(),
  logType: filter(),
  logSubtype: filter(),
  tenant: filter(),
});

const organization = strict('an organization', {
  id: id("the organization's id").meta({
    description:
      'Names its function, its secret, its row and its prefix in the archive. Never change it: another id is another collector, which starts anew.',
  }),
  orgUrl: absoluteUrl(
    'expected an absolute http(s) URL, exactly as the provider has it, trailing slash and all, such as "https://institution.edu/", at most 500 characters',
  ).meta({ description: 'Exactly as the provider has it, trailing slash and all.' }),
  everyMinutes: z
    .literal([...PERIODS], `expected one of ${PERIODS.join(', ')} (they divide the hour evenly)`)
    .default(5)
    .meta({ description: 'Minutes from one run to the next. Below 5 only with allowFasterThanRecommended.' }),
  allowFasterThanRecommended: reason('why the provider agrees to retrievals closer than 5 minutes')
    .optional()
    .meta({ description: 'Why the provider agrees to retrievals less than 5 minutes apart.' }),
  filters: filters.default({}).meta({ description: 'Collect only these events. Default: all.' }),
  limit: z
    .int('expected a whole number of events, 1 to 1000')
    .min(1, 'expected 1 or more events')
    .max(1000, 'expected at most 1000 events: the provider serves no more in one page')
    .default(1000)
    .meta({ description: 'Events per page.' }),
  onStaleToken: z.enum(['continue', 'halt'], 'expected "continue" or "halt"').default('continue').meta({
    description:
      'When the provider no longer knows where we stood: record the gap and go on, or halt until an operator looks.',
  }),
  stack: z
    .int("expected a stack's number, 1 to 999")
    .min(1, "expected a stack's number, 1 to 999")
    .max(999, "expected a stack's number, 1 to 999")
    .default(1)
    .meta({
      description: `Which collector stack it lives in; at most ${ORGANIZATIONS_PER_STACK} in each. A move to another stack makes everything but its data anew.`,
    }),
  credential: id("a shared credential's name").optional().meta({
    description: 'Organizations that name the same credential share its secret. Default: one of its own.',
  }),
  identities: identities
    .optional()
    .meta({ description: 'Follows its identity records: snapshots and changes. Default: not.' }),
});

const consumer = strict('who may take the role', {
  principal: text(
    /^(?:\d{12}|arn:aws[a-z-]*:iam::\d{12}:(?:root|(?:role|user)\/[\w+=,.@/-]+))$/,
    'expected a 12-digit account or the ARN of a role or user, such as "arn:aws:iam::111122223333:root"',
  ).meta({ description: 'The account, role or user that takes the role.' }),
  externalId: text(
    /^[\w+=,.@:/-]{8,256}$/,
    'expected the external id that the SIEM shows, 8 to 256 characters of letters, digits and +=,.@:/-',
  ).meta({ description: 'The external id that it must give.' }),
});

const destination = strict('a destination', {
  id: id("the destination's id").meta({
    description: 'Names its queue. Never change it: another id is another queue.',
  }),
  kind: z.enum(['splunk', 'elastic', 'other'], 'expected "splunk", "elastic" or "other"'),
  delivery: z
    .enum(
      ['pull', 'push'],
      'expected "pull" (the SIEM reads queue and archive) or "push" (orglog sends events)',
    )
    .default('pull')
    .meta({ description: 'pull: the SIEM reads the queue and the archive. push: orglog sends the events.' }),
  push: push.optional().meta({ description: 'Where orglog sends to, with delivery "push".' }),
  consumer: consumer.optional().meta({
    description: 'Makes a role with this external id. Default: only a policy, to attach to a role of yours.',
  }),
});

const retention = strict('how long things are kept', {
  archiveDays: days(MIN_ARCHIVE_DAYS, ' (messages wait for 28 days, and their objects must be there)')
    .optional()
    .meta({ description: 'Archived objects are removed after so many days. Default: never.' }),
  infrequentAccessAfterDays: days(MIN_INFREQUENT_ACCESS_DAYS, ' (S3 moves nothing before)')
    .default(90)
    .meta({ description: 'Archived objects move to cheaper storage after so many days.' }),
  logDays: z
    .literal([...LOG_DAYS], `expected what CloudWatch Logs offers: one of ${LOG_DAYS.join(', ')}`)
    .default(90)
    .meta({ description: "Days that the functions' own log lines are kept." }),
});

const omission = strict('an alarm left out', {
  alarm: z.enum(ALARMS, `expected an alarm of docs/runbook.md: ${ALARMS.join(', ')}`),
  organization: id('the id of an organization').optional(),
  destination: id('the id of a destination').optional(),
  environment: z.enum(['test', 'prod'], 'expected "test" or "prod"').optional(),
  reason: reason('why nobody needs to know'),
});

const alarms = strict('whom to tell', {
  email: z.email('expected an e-mail address, such as "security@institution.edu"').meta({
    description: 'Where alarms are sent. AWS asks this address to confirm at the first deployment.',
  }),
  runbookUrl: text(
    /^[^#\s]+$/,
    'expected where your people read docs/runbook.md, without a #, such as "https://git.institution.edu/orglog/docs/runbook.md"',
  )
    .default('docs/runbook.md')
    .meta({
      description: 'Where the text of each alarm links to. Default: the path of the file in the repository.',
    }),
  omit: z.array(omission, 'expected a list of alarms to leave out').default([]).meta({
    description:
      'Alarms to leave out, everywhere or for one organization or destination, each with a reason.',
  }),
});

const tags = z
  .record(
    text(
      /^(?!aws:)[\w .:/=+@-]{1,128}$/i,
      'expected a tag: at most 128 letters, digits and  .:/=+@-_, not aws:…',
    ),
    text(/^[\w .:/=+@-]{0,256}$/, "expected a tag's value: at most 256 letters, digits and  .:/=+@-_"),
    'expected an object of tags and their values',
  )
  .default({})
  .meta({ description: 'Tags of every resource.' });

/** The file `orglog.config.json`; what no single member can tell is in cross-checks.ts. */
export const settingsSchema = strict('the settings of orglog', {
  $schema: z.string('expected the path of the JSON Schema').optional(),
  name: text(NAME, `expected a name: ${A_NAME}`)
    .default('orglog')
    .meta({ description: 'Begins the names of all stacks and resources. Never change it.' }),
  provider: strict('the provider', {
    baseUrl: providerUrl().meta({ description: "The provider's API, without /logs/v1." }),
  }),
  organizations: z
    .array(organization, 'expected a list of organizations')
    .min(1, 'expected at least one organization'),
  destinations: z
    .array(destination, 'expected a list of destinations')
    .max(
      MAX_DESTINATIONS,
      `expected at most ${MAX_DESTINATIONS}: every function is told the URL of each queue`,
    )
    .default([])
    .meta({ description: 'Where events go. Default: nowhere but the archive.' }),
  retention: retention.prefault({}),
  alarms,
  monitoring: z
    .enum(['standard', 'detailed'], 'expected "standard" or "detailed"')
    .default('standard')
    .meta({ description: 'detailed: metrics for every figure, at about a third of a dollar each a month.' }),
  tags,
});

/**
 * The settings as the stacks read them: checked, with every default filled in, and the certificates themselves where the
 * file names a `privateCa`.
 */
export type Settings = z.output<typeof settingsSchema>;
export type OrganizationSettings = Settings['organizations'][number];
export type DestinationSettings = Settings['destinations'][number];
