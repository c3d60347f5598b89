import * as z from 'zod/mini';
import { type Environment, json, parseEnvironment, text, wholeNumber } from './environment.ts';
import { scheduledVariables, secretId } from './variables.ts';

const NAMES = 'a list of names such as ["mail"]';

function names() {
  return json(z.array(text(/./, 'expected a name'), `expected ${NAMES}`), NAMES);
}

/** Built when the environment is read, once per container. */
const variables = z.lazy(() =>
  z
    .object({
      ...scheduledVariables(),
      /** Whose identity records. */
      ORGLOG_ENVIRONMENT: z.enum(['test', 'prod'], 'expected test or prod'),
      /** From the start of one walk to the start of the next. */
      ORGLOG_EVERY_MS: wholeNumber(1_000, 604_800_000, 86_400_000),
      /** Whose collections are read. Default: those that the credential's permissions name. */
      ORGLOG_AUTHORITIES: z.exactOptional(names()),
      /** Members and attributes whose values leave as pseudonyms. */
      ORGLOG_REDACT: z.prefault(names(), '[]'),
      /** Secrets Manager: name or ARN of the pseudonyms' key. Needed where anything is redacted. */
      ORGLOG_PSEUDONYM_SECRET_ID: z.exactOptional(secretId()),
      /** Which walks announce every record: the first, or each. */
      ORGLOG_SNAPSHOTS: z.prefault(z.enum(['first', 'every'], 'expected first or every'), 'first'),
      /** What the provider calls an identity's identifier. */
      ORGLOG_UID_FIELD: z.prefault(
        text(/^[A-Za-z]\w{0,62}$/, 'expected the name of a field, such as serviceUid'),
        'serviceUid',
      ),
      /** Above the function's time-out, below the schedule's period: a dead run's lease is gone by the next run. */
      ORGLOG_LEASE_MS: wholeNumber(1_000, 3_600_000, 840_000),
    })
    .check(({ value, issues }) => {
      const { ORGLOG_REDACT: redact, ORGLOG_PSEUDONYM_SECRET_ID: key } = value;
      if (redact.length === 0 || key !== undefined) return;
      const message = `expected the name or ARN of a secret with the key of pseudonyms, which ORGLOG_REDACT needs`;
      issues.push({ code: 'custom', message, input: key, path: ['ORGLOG_PSEUDONYM_SECRET_ID'] });
    }),
);

/** What the sync function is deployed with, checked. @throws OrglogError `configuration`, every fault at once */
export function syncIdentitiesEnvironment(env: Environment) {
  return parseEnvironment(variables, env);
}
