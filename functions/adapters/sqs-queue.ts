import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { OrglogError } from '../core/errors.ts';
import type { MessageQueue, ReceivedMessage } from '../core/ports.ts';
import { type AwsCall, callAws, isAwsError } from './aws-errors.ts';

export interface SqsQueueOptions {
  readonly client: SQSClient;
  /** The queue's URL. */
  readonly url: string;
  /**
   * How long `receive` waits for a first message, in seconds: 0 to 20. Above 0 SQS asks all of its servers; at 0 it
   * asks some, and can answer with nothing although messages wait. Default 1.
   */
  readonly waitSeconds?: number;
}

const redrivePolicy = z.lazy(() =>
  z.object({
    deadLetterTargetArn: z.string().check(z.regex(/^arn:[^:]*:sqs:[^:]*:\d*:[^:]+$/)),
  }),
);

const WAITING = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** One standard queue in SQS. Sending needs `sqs:SendMessage` alone; `depth` counts are SQS's approximations. */
export function sqsQueue({ client, url, waitSeconds = 1 }: SqsQueueOptions): MessageQueue {
  const call = (operation: string, queue = url): AwsCall => ({
    service: 'SQS',
    permission: `sqs:${operation}`,
    resource: `queue ${queue}`,
  });

  const attributes = async (queue: string, signal: AbortSignal) => {
    const command = new GetQueueAttributesCommand({
      QueueUrl: queue,
      AttributeNames: [...WAITING, 'RedrivePolicy'],
    });
    return await callAws(call('GetQueueAttributes', queue), signal, async () => {
      const answer = await client.send(command, { abortSignal: signal });
      const found = answer.Attributes ?? {};
      const waiting = WAITING.reduce((sum, name) => sum + Number(found[name] ?? 0), 0);
      return { waiting, redrive: found.RedrivePolicy };
    });
  };

  return {
    async send(body: string, signal: AbortSignal): Promise<void> {
      const command = new SendMessageCommand({ QueueUrl: url, MessageBody: body });
      await callAws(call('SendMessage'), signal, () => client.send(command, { abortSignal: signal }));
    },

    async receive(max: number, signal: AbortSignal): Promise<ReceivedMessage[]> {
      const command = new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: max,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      });
      const answer = await callAws(call('ReceiveMessage'), signal, () =>
        client.send(command, { abortSignal: signal }),
      );
      return (answer.Messages ?? []).map((message) => ({
        body: message.Body ?? '',
        receipt: message.ReceiptHandle ?? '',
        receiveCount: Number(message.Attributes?.ApproximateReceiveCount ?? 1),
      }));
    },

    async remove(receipt: string, signal: AbortSignal): Promise<void> {
      const command = new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt });
      await callAws(call('DeleteMessage'), signal, async () => {
        try {
          await client.send(command, { abortSignal: signal });
        } catch (error) {
          if (!isAwsError(error, 'ReceiptHandleIsInvalid')) throw error;
        }
      });
    },

    async depth(signal: AbortSignal): Promise<{ waiting: number; dead: number }> {
      const { waiting, redrive } = await attributes(url, signal);
      if (redrive === undefined) return { waiting, dead: 0 };
      const dead = await attributes(await deadLetterUrl(redrive, signal), signal);
      return { waiting, dead: dead.waiting };
    },
  };

  async function deadLetterUrl(redrive: string, signal: AbortSignal): Promise<string> {
    const policy = redrivePolicy.safeParse(parsed(redrive));
    if (!policy.success) {
      throw new OrglogError(
        'storage',
        `SQS answered with a redrive policy that names no queue, for ${url}: ${redrive}`,
      );
    }
    const [account, name] = policy.data.deadLetterTargetArn.split(':').slice(-2);
    const command = new GetQueueUrlCommand({
      QueueName: name,
      ...(account ? { QueueOwnerAWSAccountId: account } : {}),
    });
    const answer = await callAws(call('GetQueueUrl', name), signal, () =>
      client.send(command, { abortSignal: signal }),
    );
    return answer.QueueUrl ?? '';
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
