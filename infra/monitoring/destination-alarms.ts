import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ALARM_METRICS } from '../../functions/adapters/run-metrics.ts';
import type { DestinationQueue } from '../destination-queue.ts';
import type { Names } from '../names.ts';
import type { DestinationSettings, Settings } from '../settings/schema.ts';
import { type AlarmSpec, makeAlarms, operatorCommand } from './alarms.ts';

export interface DestinationAlarmsProps {
  readonly names: Names;
  readonly settings: Settings;
  readonly topic: ITopic;
  readonly source: DestinationQueue;
}

/**
 * A consumer that works takes a message within minutes; the queue keeps it for 14 days. Lambda reads a push queue within
 * seconds, and SQS no longer counts a message that was received three times: what grows old there is read by nobody.
 */
const AGE_SECONDS: Readonly<Record<DestinationSettings['delivery'], number>> = { pull: 3600, push: 1800 };

/** The longest period of a schedule: every organization that owes something has said so within it. */
const LONGEST_PERIOD = Duration.minutes(30);

/** The alarms of one destination, whoever empties its queue. */
export class DestinationAlarms extends Construct {
  constructor(scope: Construct, id: string, props: DestinationAlarmsProps) {
    super(scope, id);
    const { settings, topic, source } = props;
    makeAlarms(this, { settings, topic, about: { destination: source.destination.id } }, specsOf(props));
  }
}

function specsOf({ names, settings, source }: DestinationAlarmsProps) {
  const { id, delivery } = source.destination;
  const ageSeconds = AGE_SECONDS[delivery];
  const queueUrl = names.queueUrl(names.queue(id));
  const period = Duration.minutes(5);

  return {
    'queue-age': {
      means: `Messages for ${id} wait for more than ${ageSeconds / 60} minutes: what should read the queue does not, or too slowly. After 14 days messages expire; the archive keeps the events.`,
      first: operatorCommand(settings, 'status'),
      metric: source.queue.metricApproximateAgeOfOldestMessage({ period, statistic: Stats.MAXIMUM }),
      raisedWhen: { above: ageSeconds },
      datapoints: [3, 3],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    'dead-letters': {
      means: `Messages for ${id} were taken several times and never finished: their events have not reached the SIEM. They wait in the dead-letter queue for up to 14 days; the archive keeps the events.`,
      first: operatorCommand(settings, `redrive --destination ${id} --dry-run`),
      metric: source.deadLetters.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      }),
      raisedWhen: { above: 0 },
      datapoints: [1, 1],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
    'not-queued': {
      means: `Batches are archived, but the queue of ${id} does not take their messages: its SIEM gets nothing new. They stay owed, and are queued when it works again.`,
      first: `aws sqs get-queue-attributes --attribute-names All --queue-url ${queueUrl}`,
      metric: new Metric({
        namespace: settings.name,
        metricName: ALARM_METRICS.owed,
        dimensionsMap: { destination: id },
        statistic: Stats.MAXIMUM,
        period: LONGEST_PERIOD,
      }),
      raisedWhen: { above: 0 },
      datapoints: [2, 2],
      whenMissing: 'fine',
      tellsWhenOver: true,
    },
  } satisfies Record<string, AlarmSpec>;
}
