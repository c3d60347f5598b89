import { type CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { callAws } from '../aws-errors.ts';

const PERIOD_SECONDS = 60;
/** SQS reports once a minute, some minutes late, and not at all for a queue that nobody used for six hours. */
const LOOK_BACK_MS = 15 * 60_000;

/**
 * Age of the oldest message in a queue as CloudWatch last heard of it, in seconds; `undefined` where it has not.
 * Needs `cloudwatch:GetMetricStatistics`, which cannot be confined to a resource.
 *
 * @param now epoch ms
 */
export async function oldestMessageAge(
  client: CloudWatchClient,
  queueName: string,
  now: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const call = {
    service: 'CloudWatch',
    permission: 'cloudwatch:GetMetricStatistics',
    resource: `metric ApproximateAgeOfOldestMessage of the queue ${queueName}`,
  };
  const command = new GetMetricStatisticsCommand({
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateAgeOfOldestMessage',
    Dimensions: [{ Name: 'QueueName', Value: queueName }],
    StartTime: new Date(now - LOOK_BACK_MS),
    EndTime: new Date(now),
    Period: PERIOD_SECONDS,
    Statistics: ['Maximum'],
  });
  const { Datapoints = [] } = await callAws(call, signal, () =>
    client.send(command, { abortSignal: signal }),
  );
  const inOrder = Datapoints.toSorted((a, b) => timeOf(a) - timeOf(b));
  return inOrder.at(-1)?.Maximum;
}

function timeOf({ Timestamp }: { Timestamp?: Date | undefined }): number {
  return Timestamp?.getTime() ?? 0;
}
