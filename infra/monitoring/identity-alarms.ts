import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { SYNC_METRICS } from '../../functions/adapters/sync-telemetry.ts';
import type { IdentityEnvironment } from '../../functions/core/identities/identity.ts';
import type { IDENTITY_ALARMS } from '../settings/alarm-names.ts';
import type { Settings } from '../settings/schema.ts';
import { type AlarmSpec, makeAlarms, operatorCommand } from './alarms.ts';

export interface IdentityAlarmsProps {
  readonly settings: Settings;
  readonly topic: ITopic;
  /** The organization's id. */
  readonly org: string;
  readonly environment: IdentityEnvironment;
  /** From one walk to the next. */
  readonly everyHours: number;
  readonly functionName: string;
  /** From one run to the next. */
  readonly tick: Duration;
  readonly logGroupName: string;
}

const HOUR_SECONDS = 3600;

/** The alarms of one environment of an organization's identity records (settings/limits.ts counts four). */
export class IdentityAlarms extends Construct {
  constructor(scope: Construct, id: string, props: IdentityAlarmsProps) {
    super(scope, id);
    const { settings, topic, org, environment } = props;
    makeAlarms(this, { settings, topic, about: { organization: org, environment } }, specsOf(props));
  }
}

function specsOf(props: IdentityAlarmsProps): Readonly<Record<(typeof IDENTITY_ALARMS)[number], AlarmSpec>> {
  const { settings, org, environment, everyHours, tick, functionName } = props;
  const records = `the ${environment} identity records of ${org}`;
  const ours = (metricName: string, statistic: string) =>
    new Metric({
      namespace: settings.name,
      metricName,
      dimensionsMap: { org, environment },
      statistic,
      period: tick,
    });
  // Of Lambda, and free of charge.
  const lambdas = (metricName: string) =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: { FunctionName: functionName },
      statistic: Stats.SUM,
      period: tick,
    });
  const lines = (filter: string) =>
    `aws logs tail ${props.logGroupName} --since 3h --filter-pattern '{ $.org = "${org}" && $.environment = "${environment}" && ${filter} }'`;

  return {
    // By what is there, not by what was tried: a walk that never ends, a lease that stays busy, a pause that was forgotten
    // all show here.
    'identities-stale': {
      means: `The last whole snapshot of ${records} is older than two of its periods (${2 * everyHours} hours): what changed since then is not told. It will be, as one difference.`,
      first: lines('$.outcome = "*"'),
      metric: ours(SYNC_METRICS.snapshotAge, Stats.MAXIMUM),
      raisedWhen: { above: 2 * everyHours * HOUR_SECONDS },
      datapoints: [2, 2],
      whenMissing: 'keep',
      tellsWhenOver: true,
    },
    // As of a collector's credential: one refusal may be a gateway's bad minute.
    'identities-refused': {
      means: `The provider refuses to show ${records}, in two runs running and with the credential read afresh: it is no longer valid, or lacks the permission to read. Nothing is taken for removed.`,
      first: operatorCommand(settings, `check --org ${org}`),
      metric: ours(SYNC_METRICS.refused, Stats.SUM),
      raisedWhen: { above: 0 },
      datapoints: [2, 2],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    // In a row, since most runs have nothing to do and succeed: once a walk is open, every run goes on with it.
    'identities-failing': {
      means: `Four runs running failed to follow ${records}. Each goes on where the last good one stopped; what was announced stays right.`,
      first: lines('$.outcome = "failed"'),
      metric: lambdas('Errors'),
      raisedWhen: { above: 0 },
      datapoints: [4, 4],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    // By Lambda's count, since identities-stale sees all that a started run may fail to do.
    'identities-not-running': {
      means: `What follows ${records} has not been started for three of its ticks (${3 * tick.toMinutes()} minutes).`,
      first: `aws lambda get-function-concurrency --function-name ${functionName}`,
      metric: lambdas('Invocations'),
      raisedWhen: { below: 1 },
      datapoints: [3, 3],
      whenMissing: 'raise',
      tellsWhenOver: true,
    },
  };
}
