import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Names } from './names.ts';
import type { DestinationSettings } from './settings/schema.ts';

export interface DestinationQueueProps {
  readonly names: Names;
  readonly key: IKey;
  readonly destination: DestinationSettings;
}

interface QueueLimits {
  readonly visibility: Duration;
  /** Receives before a message becomes a dead letter. */
  readonly maxReceives: number;
}

/** Time-out of the functions that deliver by push: AWS wants a queue's visibility to be six times that of its reader. */
export const DELIVERY_TIMEOUT = Duration.seconds(150);

const LIMITS: Readonly<Record<DestinationSettings['delivery'], QueueLimits>> = {
  // The Serverless Forwarder's function needs 910 s; a consumer deletes at its fifth receive, and then nobody would
  // ever know (design §4).
  pull: { visibility: Duration.seconds(910), maxReceives: 4 },
  // A sink may be down for four days: 384 quarters of an hour, and the shorter ones before them (design §5).
  push: { visibility: Duration.seconds(DELIVERY_TIMEOUT.toSeconds() * 6), maxReceives: 400 },
};

/** The longest that SQS keeps a message. */
const RETENTION = Duration.days(14);

/** One destination's queue and its dead letters. They go with the destination: the archive has all they announced. */
export class DestinationQueue extends Construct {
  readonly destination: DestinationSettings;
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { names, key, destination }: DestinationQueueProps) {
    super(scope, id);
    this.destination = destination;
    const { visibility, maxReceives } = LIMITS[destination.delivery];
    const common = {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      // How long SQS uses one data key: a call to KMS per hour and caller, not per five minutes.
      dataKeyReuse: Duration.hours(1),
      enforceSSL: true,
      retentionPeriod: RETENTION,
    };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      queueName: names.deadLetterQueue(destination.id),
      redriveAllowPolicy: {
        redrivePermission: RedrivePermission.BY_QUEUE,
        // Only composed: the queue itself names this one.
        sourceQueues: [Queue.fromQueueArn(this, 'Source', names.queueArn(names.queue(destination.id)))],
      },
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      queueName: names.queue(destination.id),
      visibilityTimeout: visibility,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
  }
}
