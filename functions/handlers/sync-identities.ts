import type { Context } from 'aws-lambda';
import { asOrglogError, type OrglogError } from '../core/errors.ts';
import type { SyncReport } from '../core/identities/ports.ts';
import { syncIdentities } from '../core/identities/sync.ts';
import type { RunContext } from '../core/run.ts';
import { fitForLambda } from './fit-for-lambda.ts';
import { openSyncContainer, type SyncContainer, type SyncOverrides } from './sync-identities-container.ts';
import { timeBudget } from './time-budget.ts';

export type SyncHandler = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<SyncReport>;

/**
 * What follows the identity records of one environment of one organization: one invocation is one tick. Whatever it was
 * invoked with is not looked at: the environment says all (sync-identities-environment.ts).
 *
 * Rejects when the run failed, after its metrics and its line are out, so that Lambda counts the error; a run that
 * finds another at work, or nothing due, is none. A faulty environment rejects too, at every invocation.
 */
export function makeHandler(overrides: SyncOverrides = {}): SyncHandler {
  let container: SyncContainer | undefined;

  return async (_event, context) => {
    container ??= openSyncContainer(overrides);
    const { ports, settings, telemetry } = container;
    using time = timeBudget({
      now: ports.clock.now(),
      remainingMs: context.getRemainingTimeInMillis(),
      leaseMs: settings.leaseMs,
    });
    const report = await run(container, { ...time, owner: context.awsRequestId });
    telemetry.finish(report);
    if (report.error !== undefined) throw fitForLambda(report.error);
    return report;
  };
}

export const handler: SyncHandler = makeHandler();

/** Never rejects. */
async function run(container: SyncContainer, context: RunContext): Promise<SyncReport> {
  const { ports, settings, pseudonyms } = container;
  try {
    const { keyId, pseudonym } = await pseudonyms(context.signal);
    return await syncIdentities({ ...ports, pseudonym }, { ...settings, pseudonymKeyId: keyId }, context);
  } catch (error) {
    return nothingDone(asOrglogError(error, 'storage'));
  }
}

/** Without the key of pseudonyms, nothing may be read that could not be redacted. */
function nothingDone(error: OrglogError): SyncReport {
  return {
    ...{ outcome: 'failed', error, pages: 0, identities: 0, events: 0, byAction: {}, bytes: 0 },
    ...{ storedBytes: 0, batches: 0, adopted: 0, announced: 0, owed: {}, unconfirmed: 0, runMs: 0 },
  };
}
