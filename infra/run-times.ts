import { Duration } from 'aws-cdk-lib/core';

/** How long things may take at a collector that runs every so many minutes: time-out < lease < period. */
export interface RunTimes {
  readonly period: Duration;
  /** The function's. */
  readonly timeout: Duration;
  /** A dead run's lease is gone by the next run; a living one never outlives its own. */
  readonly lease: Duration;
  /** A log found caught up less than this ago is not read again. */
  readonly minInterval: Duration;
  /** An event that could not be delivered for so long is dropped: the next run does its work. */
  readonly maxEventAge: Duration;
}

/** Lambda's own limit is 900 s; a run that needs longer to catch up goes on at the next. */
const LONGEST_TIMEOUT_SECONDS = 840;

/** For 5 minutes: time-out 240 s, lease 280 s, minimum interval 240 s, event age 240 s. */
export function runTimes(everyMinutes: number): RunTimes {
  const periodSeconds = everyMinutes * 60;
  const timeoutSeconds = Math.min(Math.floor(periodSeconds * 0.8), LONGEST_TIMEOUT_SECONDS);
  // A schedule fires at any second of its minute, so two runs may lie a minute closer than the period.
  const withoutJitter = Duration.seconds(periodSeconds - 60);
  return {
    period: Duration.minutes(everyMinutes),
    timeout: Duration.seconds(timeoutSeconds),
    lease: Duration.seconds(Math.floor((timeoutSeconds * 7) / 6)),
    minInterval: withoutJitter,
    maxEventAge: withoutJitter,
  };
}
