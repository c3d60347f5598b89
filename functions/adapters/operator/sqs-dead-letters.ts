import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { OrglogError } from '../../core/errors.ts';
import type { DeadLetter } from '../../core/operate/ports.ts';
import { type AwsCall, callAws, isAwsError } from '../aws-errors.ts';

export interface DeadLetterQueueOptions {
  readonly client: SQSClient;
  /** The dead-letter queue's URL. */
  readonly deadLetterUrl: string;
  /** How long SQS looks for a first message, in seconds: 0 to 20. At 0 it may overlook some. Default 1. */
  readonly waitSeconds?: number;
}

/** As many as one receive gives. */
const BATCH = 10;

/** Longer than a look takes; a look that is cut short leaves them hidden for so long. */
const LOOK_SECONDS = 30;

/**
 * A look at dead letters: they are received, and shown again at once. Each look counts among a letter's receives, which
 * no dead-letter queue has a limit for. Needs `sqs:ReceiveMessage` and `sqs:ChangeMessageVisibility`.
 */
export async function peekDeadLetters(
  options: DeadLetterQueueOptions,
  max: number,
  signal: AbortSignal,
): Promise<readonly DeadLetter[]> {
  const letters: Message[] = [];
  try {
    while (letters.length < max) {
      const more = await receive(options, Math.min(BATCH, max - letters.length), signal);
      if (more.length === 0) break;
      letters.push(...more);
    }
  } finally {
    await showAgain(options, letters, signal);
  }
  return letters.map(({ Body = '', Attributes = {} }) => ({
    body: Body,
    queuedAt: Number(Attributes.SentTimestamp ?? 0),
    receiveCount: Number(Attributes.ApproximateReceiveCount ?? 1),
  }));
}

async function receive(
  { client, deadLetterUrl, waitSeconds = 1 }: DeadLetterQueueOptions,
  max: number,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: deadLetterUrl,
    MaxNumberOfMessages: max,
    VisibilityTimeout: LOOK_SECONDS,
    WaitTimeSeconds: waitSeconds,
    MessageSystemAttributeNames: ['ApproximateReceiveCount', 'SentTimestamp'],
  });
  const { Messages = [] } = await callAws(call('ReceiveMessage', deadLetterUrl), signal, () =>
    client.send(command, { abortSignal: signal }),
  );
  return Messages;
}

async function showAgain(
  { client, deadLetterUrl }: DeadLetterQueueOptions,
  letters: readonly Message[],
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < letters.length; at += BATCH) {
    const Entries = letters.slice(at, at + BATCH).map(({ ReceiptHandle = '' }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    // Entries that fail have lapsed: those letters are visible already.
    const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: deadLetterUrl, Entries });
    await callAws(call('ChangeMessageVisibility', deadLetterUrl), signal, () =>
      client.send(command, { abortSignal: signal }),
    );
  }
}

/**
 * Starts the move of all dead letters back to the queue they came from, unless one is under way. Needs
 * `sqs:StartMessageMoveTask`, `sqs:ListMessageMoveTasks`, `sqs:ReceiveMessage`, `sqs:DeleteMessage` and
 * `sqs:GetQueueAttributes` on the dead-letter queue, `sqs:SendMessage` on the other, and the use of their KMS key.
 */
export async function moveDeadLetters(options: DeadLetterQueueOptions, signal: AbortSignal): Promise<void> {
  const { client, deadLetterUrl } = options;
  const SourceArn = await arnOf(options, signal);
  const start = {
    ...call('StartMessageMoveTask', deadLetterUrl),
    alsoAllow: 'sqs:ReceiveMessage and sqs:DeleteMessage there, sqs:SendMessage on the queue itself',
  };
  await callAws(start, signal, async () => {
    try {
      await client.send(new StartMessageMoveTaskCommand({ SourceArn }), { abortSignal: signal });
    } catch (error) {
      // Among other things: one task at a time is allowed.
      const unsupported = UNSUPPORTED.some((name) => isAwsError(error, name));
      if (!unsupported || !(await isMoving(options, SourceArn, signal))) throw error;
    }
  });
}

const UNSUPPORTED = ['UnsupportedOperation', 'AWS.SimpleQueueService.UnsupportedOperation'];

async function isMoving(
  { client, deadLetterUrl }: DeadLetterQueueOptions,
  SourceArn: string,
  signal: AbortSignal,
): Promise<boolean> {
  const command = new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 });
  const { Results = [] } = await callAws(call('ListMessageMoveTasks', deadLetterUrl), signal, () =>
    client.send(command, { abortSignal: signal }),
  );
  return Results[0]?.Status === 'RUNNING';
}

async function arnOf(
  { client, deadLetterUrl }: DeadLetterQueueOptions,
  signal: AbortSignal,
): Promise<string> {
  const command = new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ['QueueArn'] });
  const { Attributes } = await callAws(call('GetQueueAttributes', deadLetterUrl), signal, () =>
    client.send(command, { abortSignal: signal }),
  );
  const arn = Attributes?.QueueArn;
  if (arn !== undefined) return arn;
  throw new OrglogError('storage', `SQS answered without the ARN of the queue ${deadLetterUrl}: try again`);
}

function call(operation: string, queue: string): AwsCall {
  return { service: 'SQS', permission: `sqs:${operation}`, resource: `queue ${queue}` };
}
