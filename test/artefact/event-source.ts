import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { Container, Invoked } from '../runtime/container.ts';
import type { Deployment, Resource } from './deployment.ts';
import { only, referringTo } from './functions.ts';

const mapping = z.object({
  EventSourceArn: z.string(),
  BatchSize: z.int().max(10),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).length(1),
  ScalingConfig: z.object({ MaximumConcurrency: z.int().min(2) }),
});

const answer = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) });

export interface Polled extends Invoked {
  /** Identifier of a message → the key that it announces. */
  readonly messages: ReadonlyMap<string, string>;
  /** Keys whose messages the function named as failed: they stay in the queue. */
  readonly failed: readonly string[];
}

/** Lambda's reading of a queue for a function, as its event source mapping has it. */
export interface EventSource {
  /** Receives one batch, invokes the function with it, and removes all messages but those that it names. */
  poll(container: Container): Promise<Polled>;
  /** Time passes: what was put back may be received again. */
  showAgain(): Promise<void>;
  /** Messages in the queue, those in work included. */
  waiting(): Promise<number>;
}

export async function eventSource(deployment: Deployment, fn: Resource): Promise<EventSource> {
  const resource = only(referringTo(deployment, fn, 'AWS::Lambda::EventSourceMapping', 'FunctionName'));
  const properties = Object.keys(mapping.shape).map(
    async (name) => [name, await deployment.property(resource, name)] as const,
  );
  const { EventSourceArn, BatchSize } = mapping.parse(Object.fromEntries(await Promise.all(properties)));
  const { region } = deployment.services;
  const { sqs } = deployment.services.clients;
  const QueueUrl = await urlOf(deployment, EventSourceArn);
  const putBack = new Set<string>();

  const record = ({ MessageId, ReceiptHandle, Body, MD5OfBody, Attributes }: Message) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: EventSourceArn,
    awsRegion: region,
  });

  return {
    async poll(container) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: BatchSize,
          MessageSystemAttributeNames: ['All'],
        }),
      );
      const messages = new Map(Messages.map(({ MessageId = '', Body = '' }) => [MessageId, keyOf(Body)]));
      const invoked = await container.invoke({ Records: Messages.map(record) });
      if (invoked.outcome.kind !== 'response')
        return { ...invoked, messages, failed: [...messages.values()] };
      const named = answer
        .parse(invoked.outcome.body)
        .batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      // A name that Lambda does not know makes the whole batch come again.
      const unknown = named.filter((id) => !messages.has(id));
      if (unknown.length > 0)
        throw new Error(`the function names ${unknown.join(', ')}, which it was not given`);
      for (const { MessageId = '', ReceiptHandle = '' } of Messages) {
        if (named.includes(MessageId)) putBack.add(ReceiptHandle);
        else await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      return { ...invoked, messages, failed: named.map((id) => messages.get(id) ?? '') };
    },
    async showAgain() {
      for (const ReceiptHandle of putBack) {
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
      }
      putBack.clear();
    },
    async waiting() {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
      );
      return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
    },
  };
}

function keyOf(body: string): string {
  return decodeURIComponent(JSON.parse(body).Records[0].s3.object.key);
}

async function urlOf(deployment: Deployment, arn: string): Promise<string> {
  for (const queue of deployment.resourcesOf('AWS::SQS::Queue')) {
    const { ref, attributes } = await deployment.made(queue);
    if (attributes.Arn === arn) return ref;
  }
  throw new Error(`no queue of the templates is ${arn}`);
}
