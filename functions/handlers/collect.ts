import type { Context } from 'aws-lambda';
import { collect } from '../core/collect.ts';
import type { RunReport } from '../core/run.ts';
import { type CollectContainer, type CollectOverrides, openCollectContainer } from './collect-container.ts';
import { fitForLambda } from './fit-for-lambda.ts';
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
