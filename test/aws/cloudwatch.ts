import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { Account } from './account.ts';
import { type Listening, listen } from './listen.ts';
import { jsonOperation, type Wire } from './wire.ts';

/** What SQS reports of a queue's oldest message, and nothing else. Times are epoch seconds. */
const input = z.strictObject({
  Namespace: z.literal('AWS/SQS'),
  MetricName: z.literal('ApproximateAgeOfOldestMessage'),
  Dimensions: z.tuple([z.strictObject({ Name: z.literal('QueueName'), Value: z.string().min(1) })]),
  StartTime: z.number(),
  EndTime: z.number(),
  Period: z.int().multipleOf(60),
  Statistics: z.tuple([z.literal('Maximum')]),
});

/** CloudWatch's JSON protocol, as much as is called: GetMetricStatistics of the age of queues. */
export async function startCloudWatch(wire: Wire, { queueAges }: Account): Promise<Listening> {
  const classify = () => ({ service: 'cloudwatch', operation: 'GetMetricStatistics' });
  const listener = wire.wrap(classify, async (request, response) => {
    const operation = jsonOperation(request);
    const asked = input.safeParse(await json(request).catch(() => undefined));
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(body));
    };
    if (operation !== 'GetMetricStatistics' || !asked.success) {
      const message = `${operation} is not served here: ${asked.error?.message ?? ''}`;
      return answer(400, { __type: 'com.amazonaws.cloudwatch#InvalidParameterValueException', message });
    }
    const { Dimensions, StartTime, EndTime } = asked.data;
    const heard = queueAges.get(Dimensions[0].Value) ?? [];
    const inTime = heard.filter(({ at }) => at / 1000 >= StartTime && at / 1000 < EndTime);
    // In no order of time, as the real one.
    const Datapoints = inTime
      .toReversed()
      .map(({ at, seconds }) => ({ Timestamp: at / 1000, Maximum: seconds, Unit: 'Seconds' }));
    answer(200, { Label: 'ApproximateAgeOfOldestMessage', Datapoints });
  });
  return await listen(createServer(listener));
}
