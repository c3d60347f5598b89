/**
 * One container of a function, with the handler's own sources. Parameter: which function. Its environment is the
 * function's. Listens for invocations, one at a time: `{event, timeoutMs}`. Ends when its parent does.
 */
import { randomUUID } from 'node:crypto';
import { makeHandler as collect } from '../../functions/handlers/collect.ts';
import { makeHandler as elastic } from '../../functions/handlers/deliver-elastic.ts';
import { makeHandler as splunk } from '../../functions/handlers/deliver-splunk.ts';
import { makeHandler as sync } from '../../functions/handlers/sync-identities.ts';
import type { FunctionName, Invocation } from './function-process.ts';

/** A page a batch: as many puts, commits and announcements as can be, so that trouble falls between them. */
const settings = { batchBytes: 1 };

type Handler = (event: never, context: Context) => Promise<unknown>;
interface Context {
  readonly awsRequestId: string;
  readonly getRemainingTimeInMillis: () => number;
}

const HANDLERS: Readonly<Record<FunctionName, () => Handler>> = {
  collect: () => collect({ settings }),
  sync: () => sync({ settings }),
  splunk: () => splunk(),
  elastic: () => elastic(),
};

const handler = HANDLERS[process.argv[2] as FunctionName]();

process.on('message', ({ id, order }: { id: number; order: Invocation }) => {
  const endsAt = performance.now() + order.timeoutMs;
  const context = {
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => Math.max(0, Math.ceil(endsAt - performance.now())),
  };
  handler(order.event as never, context).then(
    (answer) => process.send?.({ id, answer }),
    (error: Error) => process.send?.({ id, error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
