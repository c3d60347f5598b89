import type { IncomingMessage } from 'node:http';
import { buildApp } from 'fauxqs';
import type { Listening } from './listen.ts';
import { addMessageMoveTasks } from './message-move-tasks.ts';
import { storesInOrder } from './s3-order.ts';
import { jsonOperation, type Wire } from './wire.ts';

/**
 * S3 and SQS by fauxqs, in memory, on one port. Version 2.4.1 ignores `If-None-Match` on PutObject, so hooks add it:
 * of two puts to one key at a time the second waits for the first, as S3 settles them.
 */
export async function startS3AndSqs(wire: Wire): Promise<Listening> {
  await acceptAllOfUnicode();
  const app = buildApp({ logger: false, stores: await storesInOrder() });
  const writing = new Map<string, Promise<void>>();
  const settle = new WeakMap<IncomingMessage, () => void>();

  app.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'PUT' || request.headers['if-none-match'] !== '*') return;
    const url = request.url.split('?')[0] ?? '';
    while (writing.has(url)) await writing.get(url);
    const { promise, resolve } = Promise.withResolvers<void>();
    writing.set(url, promise);
    settle.set(request.raw, () => {
      writing.delete(url);
      resolve();
    });
    const { host } = request.headers;
    const { statusCode } = await app.inject({
      method: 'HEAD',
      url,
      ...(host === undefined ? {} : { headers: { host } }),
    });
    if (statusCode !== 200) return;
    settle.get(request.raw)?.();
    return reply.code(412).type('application/xml').send(PRECONDITION_FAILED);
  });
  // The object is stored by the time the answer is written, whether or not the client is still there to read it.
  app.addHook('onSend', async (request) => settle.get(request.raw)?.());

  addMessageMoveTasks(app);

  await app.ready();
  wire.tap(app.server, classifyS3OrSqs);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}

/** 2.4.1 refuses message bodies with characters beyond U+FFFF, which SQS takes. */
async function acceptAllOfUnicode(): Promise<void> {
  const file = new URL('./sqs/sqsTypes.js', import.meta.resolve('fauxqs'));
  const { INVALID_MESSAGE_BODY_CHAR: invalid } = (await import(file.href)) as {
    INVALID_MESSAGE_BODY_CHAR: RegExp;
  };
  invalid.test = (body) => /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(body);
}

const PRECONDITION_FAILED = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not hold</Message><Condition>If-None-Match</Condition></Error>`;

const OBJECT_OPERATIONS: Readonly<Record<string, string>> = {
  PUT: 'PutObject',
  HEAD: 'HeadObject',
  GET: 'GetObject',
  DELETE: 'DeleteObject',
};

/** A request on S3's or SQS's address. */
export function classifyS3OrSqs(request: IncomingMessage): { service: string; operation: string } {
  const sqs = jsonOperation(request);
  if (sqs !== undefined) return { service: 'sqs', operation: sqs };
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const onObject = /^\/[^/]+\/./.test(path);
  const method = request.method ?? '';
  return { service: 's3', operation: (onObject && OBJECT_OPERATIONS[method]) || `${method} bucket` };
}
