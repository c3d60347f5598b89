import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { OperatorQueue, QueueStanding } from '../../core/operate/ports.ts';
import { callAws } from '../aws-errors.ts';
import { sqsQueue } from '../sqs-queue.ts';
import { oldestMessageAge } from './queue-age.ts';
import { type DeadLetterQueueOptions, moveDeadLetters, peekDeadLetters } from './sqs-dead-letters.ts';

export interface SqsOperatorQueueOptions extends DeadLetterQueueOptions {
  readonly client: SQSClient;
  readonly cloudWatch: CloudWatchClient;
  /** The queue's URL. */
  readonly url: string;
  /** Epoch ms. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * A destination's queue in SQS with its dead letters, for an operator. Its own counts need `sqs:GetQueueAttributes`,
 * the age of the oldest message comes from CloudWatch: queue-age.ts; what is done with the dead letters needs more:
 * sqs-dead-letters.ts.
 */
export function sqsOperatorQueue(options: SqsOperatorQueueOptions): OperatorQueue {
  const { client, cloudWatch, url, deadLetterUrl, now = Date.now } = options;
  const queueName = url.slice(url.lastIndexOf('/') + 1);

  const counts = async (queue: string, signal: AbortSignal) => {
    const call = { service: 'SQS', permission: 'sqs:GetQueueAttributes', resource: `queue ${queue}` };
    const command = new GetQueueAttributesCommand({
      QueueUrl: queue,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    });
    const { Attributes = {} } = await callAws(call, signal, () =>
      client.send(command, { abortSignal: signal }),
    );
    return {
      visible: Number(Attributes.ApproximateNumberOfMessages ?? 0),
      inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
    };
  };

  const dead = async (signal: AbortSignal) => {
    const { visible, inFlight } = await counts(deadLetterUrl, signal);
    return visible + inFlight;
  };

  return {
    ...sqsQueue({
      client,
      url,
      ...(options.waitSeconds !== undefined && { waitSeconds: options.waitSeconds }),
    }),

    async standing(signal: AbortSignal): Promise<QueueStanding> {
      const [{ visible, inFlight }, deadLetters] = await Promise.all([counts(url, signal), dead(signal)]);
      const age =
        visible + inFlight === 0 ? undefined : await oldestMessageAge(cloudWatch, queueName, now(), signal);
      return {
        ...{ visible, inFlight, dead: deadLetters },
        ...(age === undefined ? {} : { oldestAgeSeconds: age }),
      };
    },

    peekDead: (max, signal) => peekDeadLetters(options, max, signal),

    async redrive(signal: AbortSignal): Promise<number> {
      const count = await dead(signal);
      if (count > 0) await moveDeadLetters(options, signal);
      return count;
    },
  };
}
