import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ALARM_METRICS } from '../../functions/adapters/run-metrics.ts';
import type { ORGANIZATION_ALARMS } from '../settings/alarm-names.ts';
import type { Settings } from '../settings/schema.ts';
import { type AlarmSpec, makeAlarms, operatorCommand } from './alarms.ts';

export interface OrganizationAlarmsProps {
  readonly settings: Settings;
  readonly topic: ITopic;
  /** The organization's id. */
  readonly org: string;
  readonly functionName: string;
  /** From one run to the next. */
  readonly period: Duration;
  readonly logGroupName: string;
}

/** A log that is read all the time is seconds behind; an outage's backlog is read at thousands of events a second. */
const LAG_SECONDS = 3600;

/** The alarms of one organization, each a resource: 40 organizations a stack leave room for six (settings/limits.ts). */
export class OrganizationAlarms extends Construct {
  constructor(scope: Construct, id: string, props: OrganizationAlarmsProps) {
    super(scope, id);
    const { settings, topic, org } = props;
    makeAlarms(this, { settings, topic, about: { organization: org } }, specsOf(props));
  }
}

function specsOf(
  props: OrganizationAlarmsProps,
): Readonly<Record<(typeof ORGANIZATION_ALARMS)[number], AlarmSpec>> {
  const { settings, org, period, functionName } = props;
  const ours = (metricName: string, statistic: string, every = period) =>
    new Metric({
      namespace: settings.name,
      metricName,
      dimensionsMap: { org },
      statistic,
      period: every,
    });
  const lines = (filter: string) =>
    `aws logs tail ${props.logGroupName} --since 3h --filter-pattern '{ $.org = "${org}" && ${filter} }'`;

  return {
    // The number of runs that read the log, whatever they found: see behindSeconds in run-metrics.ts. One metric, where
    // Lambda's Invocations less Errors would be two to pay for, and would take a paused organization for a healthy one.
    'not-running': {
      means: `No run of ${org} has read the provider's log for three periods (${3 * period.toMinutes()} minutes): nothing is collected. Nothing is lost yet: the provider keeps 90 days.`,
      first: lines('$.outcome = "*"'),
      metric: ours(ALARM_METRICS.behind, Stats.SAMPLE_COUNT),
      raisedWhen: { below: 1 },
      datapoints: [3, 3],
      whenMissing: 'raise',
      tellsWhenOver: true,
    },
    // One bad run is made good by the next. Three of twelve find what comes and goes, which not-running never sees.
    failing: {
      means: `Runs of ${org} keep failing: 3 of the last 12. Each goes on where the last good one stopped, so nothing is lost as long as some succeed.`,
      first: lines('$.outcome = "failed"'),
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Errors',
        dimensionsMap: { FunctionName: functionName },
        statistic: Stats.SUM,
        period,
      }),
      raisedWhen: { above: 0 },
      datapoints: [3, 12],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    // Without a run there is no news: not-running tells of that, and this one stays as it is.
    lag: {
      means: `The archive of ${org} has been more than ${LAG_SECONDS / 60} minutes behind the end of the provider's log for three runs: events are read more slowly than they come, or a backlog is being read.`,
      first: lines('$.outcome = "time-up"'),
      metric: ours(ALARM_METRICS.behind, Stats.MAXIMUM),
      raisedWhen: { above: LAG_SECONDS },
      datapoints: [3, 3],
      whenMissing: 'keep',
      tellsWhenOver: true,
    },
    gap: {
      means: `A stretch of the log of ${org} could not be read, or a batch was gone from the archive before it was announced: the SIEM misses events. Collecting goes on behind the gap, and no second message will say that it is mended.`,
      first: operatorCommand(settings, `status --org ${org}`),
      metric: ours(ALARM_METRICS.gap, Stats.SUM),
      raisedWhen: { above: 0 },
      datapoints: [1, 1],
      whenMissing: 'fine',
      tellsWhenOver: false,
    },
    // One refusal may be a gateway's bad minute; a credential that expired is refused by every run.
    'credentials-refused': {
      means: `The provider refuses the credential of ${org}, read afresh, in two runs running: nothing is collected until a valid one is stored. A new one takes up to 15 minutes to work.`,
      first: operatorCommand(settings, `check --org ${org}`),
      metric: ours(ALARM_METRICS.credentialsRefused, Stats.SUM),
      raisedWhen: { above: 0 },
      datapoints: [2, 2],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    // Every run that meets such an event sends it: a day's window makes one message of a quiet and a busy hour.
    drift: {
      means: `Events of ${org} are not as documented (an unknown value, or no object at all). They are archived and announced as they came; rules in the SIEM may not know them.`,
      first: lines('$.what = "*"'),
      metric: ours(ALARM_METRICS.drift, Stats.SUM, Duration.hours(1)),
      raisedWhen: { above: 0 },
      datapoints: [1, 24],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
  };
}
