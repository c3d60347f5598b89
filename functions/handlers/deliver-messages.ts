import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { DeliverContainer } from './deliver-container.ts';
import { deliveryTime } from './deliver-time.ts';

export type DeliverHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>;

/**
 * A function that reads a queue: one invocation delivers what its messages announce, and names those that must come
 * again. `ReportBatchItemFailures` must be on: without it, Lambda would remove them all.
 *
 * Rejects only for a faulty environment, at every invocation; then all messages come again.
 */
export function deliverHandler(open: () => DeliverContainer): DeliverHandler {
  let container: DeliverContainer | undefined;

  return async ({ Records }, context) => {
    container ??= open();
    const { deliver, telemetry, clock } = container;
    using time = deliveryTime(clock.now(), context.getRemainingTimeInMillis());
    const messages = Records.map(({ messageId, body, receiptHandle, attributes }) => ({
      id: messageId,
      body,
      receipt: receiptHandle,
      receiveCount: Number(attributes.ApproximateReceiveCount),
    }));
    const report = await deliver(messages, time);
    telemetry.finish(report);
    return { batchItemFailures: report.failures.map(({ id }) => ({ itemIdentifier: id })) };
  };
}
