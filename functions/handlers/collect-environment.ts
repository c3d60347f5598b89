import * as z from 'zod/mini';
import { METRICS_LEVELS } from '../adapters/run-metrics.ts';
import type { LogFilters } from '../core/run.ts';
import { type Environment, json, parseEnvironment, text, wholeNumber } from './environment.ts';
import { scheduledVariables } from './variables.ts';

/** Query parameters of `/logs/v1/orgLogs` (logs-v1.md); their values are the provider's to judge. */
function filters(): z.ZodMiniType<LogFilters> {
  const value = z.exactOptional(text(/./, 'expected text'));
  return z.strictObject(
    { service: value, logType: value, logSubtype: value, tenant: value },
    'expected an object with no members but service, logType, logSubtype, tenant',
  );
}

/** Built when the environment is read, once per container. */
const variables = z.lazy(() =>
  z.object({
    ...scheduledVariables(),
    /** Exactly as the provider has it, trailing slash and all. */
    ORGLOG_ORG_URL: z.url('expected the absolute URL that the provider knows the organization by'),
    ORGLOG_FILTERS: z.prefault(json(filters(), 'an object such as {"service":"bridge"}'), '{}'),
    /** Events a page (logs-v1.md, `limit`). */
    ORGLOG_LIMIT: wholeNumber(1, 1000, 1000),
    /** `halt`: a token that the provider forgot stops the log until an operator looks (design §3). */
    ORGLOG_ON_STALE_TOKEN: z.prefault(z.enum(['continue', 'halt'], 'expected continue or halt'), 'continue'),
    /** Below the schedule's period, five minutes: else every other run would leave at once. */
    ORGLOG_MIN_INTERVAL_MS: wholeNumber(0, 86_400_000, 240_000),
    /** Above the function's time-out, below the schedule's period: a dead run's lease is gone by the next run. */
    ORGLOG_LEASE_MS: wholeNumber(1_000, 3_600_000, 280_000),
    /** How much of a run is sent as metrics, which cost by the piece: functions/adapters/run-metrics.ts. */
    ORGLOG_METRICS: z.prefault(z.enum(METRICS_LEVELS, 'expected standard or detailed'), 'standard'),
  }),
);

/** What the collect function is deployed with, checked. @throws OrglogError `configuration`, every fault at once */
export function collectEnvironment(env: Environment) {
  return parseEnvironment(variables, env);
}
