import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import type { AwsClients } from '../aws/clients.ts';
import type { QueuePair } from '../aws/resources.ts';

/** Whoever reads a queue: Lambda for a function, or a consumer that pulls. Its own calls meet AWS's faults, too. */
export class QueueReader {
  readonly #sqs: AwsClients['sqs'];
  readonly #pair: QueuePair;

  constructor(sqs: AwsClients['sqs'], pair: QueuePair) {
    this.#sqs = sqs;
    this.#pair = pair;
  }

  /** At most ten; none where it could not be read. */
  async receive(): Promise<readonly Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#pair.url,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
    });
    const { Messages = [] } = await this.#sqs.send(command, timeout()).catch(() => ({ Messages: [] }));
    return Messages;
  }

  /** What fails here comes again. */
  async remove(messages: readonly Message[]): Promise<void> {
    for (const { ReceiptHandle } of messages) {
      const command = new DeleteMessageCommand({ QueueUrl: this.#pair.url, ReceiptHandle });
      await this.#sqs.send(command, timeout()).catch(() => {});
    }
  }

  /** Messages that wait, those in work included, and those that were given up. */
  async depth(): Promise<{ readonly waiting: number; readonly dead: number }> {
    const { url, deadLetterUrl } = this.#pair;
    return { waiting: await this.#count(url), dead: await this.#count(deadLetterUrl) };
  }

  async #count(QueueUrl: string): Promise<number> {
    const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] });
    const { Attributes } = await this.#sqs.send(command, timeout());
    return AttributeNames.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
  }
}

/** A hanging answer is given up. */
function timeout() {
  return { abortSignal: AbortSignal.timeout(2000) };
}

/** The key that a message announces. */
export function keyOf({ Body = '' }: Message): string {
  return decodeURIComponent(JSON.parse(Body).Records[0].s3.object.key);
}

/** A message as Lambda hands it to a function. */
export function recordOf({ MessageId, ReceiptHandle, Body, Attributes }: Message): object {
  return { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, attributes: Attributes };
}
