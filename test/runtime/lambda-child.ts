/**
 * What Lambda's managed Node runtime does, in small: loads the handler, asks for one invocation after another, and
 * reports how each ended. It is copied beside a function's asset and uses nothing but Node; not even `fetch`, which
 * would leave an undici of Node's own for the function to find.
 *
 * Each invocation ends with a `REPORT` line on both streams: whatever was written before it belongs to the invocation.
 */
import { existsSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

type Handler = (event: unknown, context: object) => Promise<unknown>;

const { env } = process;
const agent = new Agent({ keepAlive: true });

async function call(method: string, path: string, body?: unknown) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: IncomingHttpHeaders;
    body: string;
  }>();
  const url = `http://${env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${path}`;
  const sent = request(url, { method, agent }, (response) => {
    text(response).then((received) => resolve({ headers: response.headers, body: received }), reject);
  });
  sent.once('error', reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return await promise;
}

/** `collect.handler`: the export `handler` of collect.js, .mjs or .cjs in the function's folder. */
async function load(): Promise<Handler> {
  const [, file = '', name = ''] = /^(.+)\.([^.]+)$/.exec(env._HANDLER ?? '') ?? [];
  const path = ['.js', '.mjs', '.cjs']
    .map((ending) => join(env.LAMBDA_TASK_ROOT ?? '', `${file}${ending}`))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw named('Runtime.ImportModuleError', `Cannot find module '${file}'`);
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const handler = module[name];
  if (typeof handler === 'function') return handler as Handler;
  throw named('Runtime.HandlerNotFound', `${env._HANDLER} is undefined or not exported`);
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function described(thrown: unknown) {
  if (!(thrown instanceof Error))
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: thrown.stack?.split('\n') ?? [] };
}

/** As the managed runtime logs what was thrown: with whatever members an error has, its causes' included. */
function withMembers(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const own = { ...value, errorType: name, errorMessage: message, stack: stack?.split('\n') };
  return cause === undefined ? own : { ...own, cause };
}

function logThrown(what: string, thrown: unknown): void {
  console.error(`${what}\t${JSON.stringify(thrown, (_key, value) => withMembers(value))}`);
}

function report(requestId: string): void {
  const megabytes = Math.ceil(process.resourceUsage().maxRSS / 1024);
  const line = `REPORT RequestId: ${requestId}\tMax Memory Used: ${megabytes} MB`;
  console.log(line);
  console.error(line);
}

function contextOf(headers: IncomingHttpHeaders) {
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: String(headers['lambda-runtime-aws-request-id']),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
}

async function serve(handler: Handler): Promise<never> {
  for (;;) {
    const { headers, body } = await call('GET', 'invocation/next');
    env._X_AMZN_TRACE_ID = String(headers['lambda-runtime-trace-id']);
    const context = contextOf(headers);
    try {
      const result = (await handler(JSON.parse(body), context)) ?? null;
      report(context.awsRequestId);
      await call('POST', `invocation/${context.awsRequestId}/response`, result);
    } catch (thrown) {
      logThrown('Invoke Error', thrown);
      report(context.awsRequestId);
      await call('POST', `invocation/${context.awsRequestId}/error`, described(thrown));
    }
  }
}

let loaded: Handler | undefined;
try {
  loaded = await load();
} catch (thrown) {
  logThrown('Uncaught Exception', thrown);
  await call('POST', 'init/error', described(thrown));
  process.exitCode = 1;
  agent.destroy();
}
if (loaded !== undefined) await serve(loaded);
