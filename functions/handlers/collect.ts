import type { Context } from 'aws-lambda';
import { scrub } from '../adapters/scrub.ts';
import { collect } from '../core/collect.ts';
import { OrglogError } from '../core/errors.ts';
import type { RunReport } from '../core/run.ts';
import { type CollectContainer, type CollectOverrides, openCollectContainer } from './collect-container.ts';
import { timeBudget } from './time-budget.ts';

export type CollectHandler = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<RunReport>;

/**
 * The collect function of one organization: one invocation is one run. Whatever it was invoked with is not looked at:
 * the environment says all (collect-environment.ts).
 *
 * Rejects when the run failed, after its metrics and its line are out, so that Lambda counts the error; a run that
 * finds another at work, or comes too soon, is none. A faulty environment rejects too, at every invocation.
 */
export function makeHandler(overrides: CollectOverrides = {}): CollectHandler {
  let container: CollectContainer | undefined;

  return async (_event, context) => {
    container ??= openCollectContainer(overrides);
    const { ports, settings, telemetry } = container;
    using time = timeBudget({
      now: ports.clock.now(),
      remainingMs: context.getRemainingTimeInMillis(),
      leaseMs: settings.leaseMs,
    });
    const report = await collect(ports, settings, { ...time, owner: context.awsRequestId });
    telemetry.finish(report);
    if (report.error !== undefined) throw fitForLambda(report.error);
    return report;
  };
}

export const handler: CollectHandler = makeHandler();

/** Lambda logs what was thrown, cause and all: a cause may quote what the logger would not. */
function fitForLambda({ code, message }: OrglogError): OrglogError {
  return new OrglogError(code, scrub(message));
}
