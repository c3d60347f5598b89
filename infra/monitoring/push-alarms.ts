import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DELIVERY_METRICS } from '../../functions/adapters/delivery-telemetry.ts';
import type { DeliverFunction } from '../deliver-function.ts';
import type { Names } from '../names.ts';
import type { PUSH_ALARMS } from '../settings/alarm-names.ts';
import type { Settings } from '../settings/schema.ts';
import { type AlarmSpec, makeAlarms } from './alarms.ts';

export interface PushAlarmsProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly topic: ITopic;
  readonly deliver: DeliverFunction;
}

/** A message that failed is tried again after a quarter of an hour at most: within twice that, it has said so again. */
const TWO_TRIES = Duration.minutes(30);

/** The alarms of one destination that orglog pushes to, beside those that every destination has. */
export class PushAlarms extends Construct {
  constructor(scope: Construct, id: string, props: PushAlarmsProps) {
    super(scope, id);
    const { settings, topic, deliver } = props;
    makeAlarms(this, { settings, topic, about: { destination: deliver.destination.id } }, specsOf(props));
  }
}

function specsOf({
  names,
  settings,
  deliver,
}: PushAlarmsProps): Readonly<Record<(typeof PUSH_ALARMS)[number], AlarmSpec>> {
  const { id } = deliver.destination;
  const period = Duration.minutes(5);
  const ours = (metricName: string, every: Duration) =>
    new Metric({
      namespace: settings.name,
      metricName,
      dimensionsMap: { destination: id },
      statistic: Stats.SUM,
      period: every,
    });
  const lines = (filter: string) =>
    `aws logs tail ${names.deliverLogGroup(id)} --since 3h --filter-pattern '${filter}'`;

  return {
    'delivery-rejected': {
      means: `${id} refused events for good: they are not in the SIEM. They lie in the archive under rejected/${id}/, each with the reason; all others went on.`,
      first: lines('{ $.line > 0 }'),
      metric: ours(DELIVERY_METRICS.rejected, period),
      raisedWhen: { above: 0 },
      datapoints: [1, 1],
      whenMissing: 'fine',
      tellsWhenOver: false,
    },
    'delivery-halted': {
      means: `Delivery to ${id} has stopped until somebody acts: its credential, its settings, or a hundred refusals running. Messages wait and are tried every 15 minutes; after four days they become dead letters.`,
      first: lines('{ $.level = "ERROR" }'),
      metric: ours(DELIVERY_METRICS.configuration, TWO_TRIES),
      raisedWhen: { above: 0 },
      datapoints: [1, 1],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    // The age of the oldest message does not tell of a sink that is down: SQS leaves out what was received three times.
    'delivery-delayed': {
      means: `${id} has been out of reach, or not taken some of the events, for an hour. Messages wait and are tried every 15 minutes; after four days they become dead letters.`,
      first: lines('{ $.failed > 0 }'),
      metric: ours(DELIVERY_METRICS.retried, TWO_TRIES),
      raisedWhen: { above: 0 },
      datapoints: [2, 2],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    'delivery-failing': {
      means: `The function that delivers to ${id} ended with an error in 3 of the last 12 five minutes: its environment is faulty, or time or memory ran out. Its messages come again after 15 minutes.`,
      first: lines('?"Invoke Error" ?"Task timed out" ?"Runtime."'),
      metric: deliver.function.metricErrors({ period, statistic: Stats.SUM }),
      raisedWhen: { above: 0 },
      datapoints: [3, 12],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
  };
}
