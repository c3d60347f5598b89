import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { MessageVisibility } from '../core/ports-delivery.ts';
import { callAws, isAwsError } from './aws-errors.ts';

/** The visibility of messages in one SQS queue. Needs `sqs:ChangeMessageVisibility`. */
export function sqsVisibility({
  client,
  url,
}: {
  readonly client: SQSClient;
  readonly url: string;
}): MessageVisibility {
  const call = { service: 'SQS', permission: 'sqs:ChangeMessageVisibility', resource: `queue ${url}` };
  return {
    async extendVisibility(receipt, delayMs, signal) {
      const command = new ChangeMessageVisibilityCommand({
        QueueUrl: url,
        ReceiptHandle: receipt,
        VisibilityTimeout: Math.ceil(delayMs / 1000),
      });
      await callAws(call, signal, async () => {
        try {
          await client.send(command, { abortSignal: signal });
        } catch (error) {
          if (!LAPSED.some((name) => isAwsError(error, name))) throw error;
        }
      });
    },
  };
}

const LAPSED = ['MessageNotInflight', 'ReceiptHandleIsInvalid', 'InvalidParameterValue'];
