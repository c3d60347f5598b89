import type { buildApp } from 'fauxqs';
import { z } from 'zod';

type App = ReturnType<typeof buildApp>;

const urls = z.object({ QueueUrls: z.array(z.string()).default([]) });
const attributes = z.object({
  Attributes: z.object({ QueueArn: z.string(), RedrivePolicy: z.string().default('{}') }),
});
const received = z.object({
  Messages: z.array(z.object({ Body: z.string(), ReceiptHandle: z.string() })).default([]),
});

/**
 * fauxqs 2.4.1 has no message move tasks: hooks add them. A task is done when it is answered: it receives what is
 * visible among the dead letters, and sends it anew to the queue that they are the dead letters of, as SQS does.
 */
export function addMessageMoveTasks(app: App): void {
  app.addHook('preHandler', async (request, reply) => {
    const operation = String(request.headers['x-amz-target'] ?? '').replace('AmazonSQS.', '');
    if (operation !== 'StartMessageMoveTask' && operation !== 'ListMessageMoveTasks') return;
    const { SourceArn, ...others } = request.body as { SourceArn?: string; MaxResults?: number };
    const answer = (status: number, body: object) =>
      reply.code(status).type('application/x-amz-json-1.0').send(JSON.stringify(body));
    if (Object.keys(others).some((name) => name !== 'MaxResults')) {
      return answer(400, { __type: 'com.amazonaws.sqs#UnsupportedOperation', message: 'not served here' });
    }
    if (operation === 'ListMessageMoveTasks') return answer(200, { Results: [] });
    const sqs = client(app, String(request.headers.host), String(request.headers.authorization));
    const queues = await allQueues(sqs);
    const source = queues.find(({ arn }) => arn === SourceArn);
    const target = queues.find(({ deadLetterArn }) => deadLetterArn === SourceArn);
    if (source === undefined || target === undefined) {
      const message = 'The resource that you specified for the SourceArn parameter doesn’t exist.';
      return answer(400, { __type: 'com.amazonaws.sqs#ResourceNotFoundException', message });
    }
    await moveAll(sqs, source.url, target.url);
    return answer(200, { TaskHandle: Buffer.from(source.arn).toString('base64') });
  });
}

type Sqs = (operation: string, body: object) => Promise<unknown>;

function client(app: App, host: string, authorization: string): Sqs {
  return async (operation, body) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: {
        ...{ host, authorization },
        'x-amz-target': `AmazonSQS.${operation}`,
        'content-type': 'application/x-amz-json-1.0',
      },
      payload: JSON.stringify(body),
    });
    if (answer.statusCode !== 200) throw new Error(`${operation} answered ${answer.statusCode}`);
    return answer.body === '' ? {} : JSON.parse(answer.body);
  };
}

async function allQueues(sqs: Sqs) {
  const { QueueUrls } = urls.parse(await sqs('ListQueues', {}));
  return await Promise.all(
    QueueUrls.map(async (url) => {
      const asked = await sqs('GetQueueAttributes', { QueueUrl: url, AttributeNames: ['All'] });
      const { QueueArn: arn, RedrivePolicy } = attributes.parse(asked).Attributes;
      return { url, arn, deadLetterArn: JSON.parse(RedrivePolicy).deadLetterTargetArn as unknown };
    }),
  );
}

async function moveAll(sqs: Sqs, from: string, to: string): Promise<void> {
  for (;;) {
    const asked = { QueueUrl: from, MaxNumberOfMessages: 10, VisibilityTimeout: 30, WaitTimeSeconds: 0 };
    const { Messages } = received.parse(await sqs('ReceiveMessage', asked));
    if (Messages.length === 0) return;
    for (const { Body, ReceiptHandle } of Messages) {
      await sqs('SendMessage', { QueueUrl: to, MessageBody: Body });
      await sqs('DeleteMessage', { QueueUrl: from, ReceiptHandle });
    }
  }
}
